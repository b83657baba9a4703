import HTTPTypes
import Hummingbird
import SignInWithApple

/// Rejects requests that change something and do not come from your own pages (CSRF).
///
/// Add it to the routes of signed-in browsers, and not to those of `signInWithApple`: Apple's page posts the callback
/// from another site, and its `state` protects it.
public struct SameOriginMiddleware<Context: RequestContext>: RouterMiddleware {
    private let origin: String

    /// Creates the middleware.
    ///
    /// - Parameter publicURL: the URL of your site, of which scheme, host and port count.
    public init(publicURL: String) { origin = SiteOrigin(publicURL).serialized }

    /// Checks a request that is neither `GET` nor `HEAD` and has no Bearer token of an app, and calls the next responder.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - context: its context.
    ///   - next: the next responder.
    /// - Returns: the response of the next responder.
    /// - Throws: `HTTPError` with the status 403, or an error of the next responder.
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.head.mayChange(at: origin) else {
            throw HTTPError(.forbidden, message: RefusedSignIn.crossSiteRequest.message)
        }
        return try await next(request, context)
    }
}
