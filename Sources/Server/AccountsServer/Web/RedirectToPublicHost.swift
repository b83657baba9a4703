import HTTPTypes
import Hummingbird

/// Redirects a browser to the public host before a sign-in with Apple begins.
///
/// Apple's response goes to the public host, to which a browser sends only the cookies of that host.
struct RedirectToPublicHost: RouterMiddleware {
    /// The query parameter of a redirected request.
    ///
    /// It prevents a second redirect, which would loop behind a proxy that replaces `Host`.
    static let marker = "redirected"

    let origins: OriginChoice

    @concurrent
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard [.get, .head].contains(request.method) else {
            return try await next(request, context)
        }
        if let redirect = redirect(request, to: WebPath.signInApple) { return redirect }
        let isRedirected = request.parameter(Self.marker) != nil
        if isRedirected, let host = origins.unknownHost(of: request) {
            throw ServerError.hostMismatch(host, origins.publicURL)
        }
        // The browser's session belongs to the other host, so the user first signs in here.
        if isRedirected, request.parameter(WebPath.purposeParameter) != nil {
            return .seeOther(WebPath.account)
        }
        return try await next(request, context)
    }

    /// Returns the redirect to a path of the public host; nil if the request is for this host or was redirected.
    func redirect(_ request: Request, to path: String) -> Response? {
        guard origins.unknownHost(of: request) != nil, request.parameter(Self.marker) == nil else {
            return nil
        }
        let query = request.uri.query.map { "\($0)&" } ?? ""
        return .seeOther("\(origins.publicURL)\(path)?\(query)\(Self.marker)=1")
    }
}
