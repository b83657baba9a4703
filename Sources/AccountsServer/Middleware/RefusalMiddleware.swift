import HTTPTypes
import Hummingbird
import Logging
import SignInWithApple

/// Turns whatever was thrown into a page or a problem document, and tells the log why.
struct RefusalMiddleware: RouterMiddleware {
    let writer: RefusalWriter
    let routes: RouteTable

    func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let refusal = refusal(ServerError(any: error), request)
            context.logger.log(
                level: SignInError.logLevel(ofStatus: refusal.status.code, code: refusal.code),
                "refused",
                metadata: [
                    "code": "\(refusal.code)", "hint": "\(refusal.hint)",
                    "route": "\(context.endpointPath ?? "none")",
                ]
            )
            return try writer.response(refusal, to: request)
        }
    }

    private func refusal(_ error: ServerError, _ request: Request) -> ServerError {
        guard error.code == ServerError.notFound.code else { return error }
        let methods = routes.methods(for: request.uri.path)
        guard !methods.isEmpty, !methods.contains(request.method.rawValue) else { return error }
        return .methodNotAllowed(methods)
    }
}

/// Writes a refusal as whoever asked can read it.
struct RefusalWriter: Sendable {
    let pages: PageRenderer

    func response(_ error: ServerError, to request: Request) throws -> Response {
        var error = error
        if error.status == .unauthorized, error.headers[.wwwAuthenticate] == nil {
            // RFC 9110, section 15.5.2: a 401 must tell a scheme by which it can be fixed.
            // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2
            error.headers[.wwwAuthenticate] = ServerError.bearer
        }
        let path = request.uri.path
        let wantsPage =
            WebPath.isPage(path)
            || !WebPath.isAPI(path) && request.headers[.accept]?.contains("text/html") == true
        return wantsPage ? try pages.refusal(error) : error.problem
    }
}
