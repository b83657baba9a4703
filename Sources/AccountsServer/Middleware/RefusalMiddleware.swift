import HTTPTypes
import Hummingbird
import Logging
import SignInWithApple

/// Turns whatever was thrown into a page or a problem document, and tells the log why.
struct RefusalMiddleware: RouterMiddleware {
    let pages: PageRenderer
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
            report(refusal, context)
            return try response(refusal, to: request)
        }
    }

    private func refusal(_ error: ServerError, _ request: Request) -> ServerError {
        var error = error
        if error.status == .unauthorized, error.headers[.wwwAuthenticate] == nil {
            // RFC 9110, section 15.5.2: a 401 must tell a scheme by which it can be fixed.
            // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2
            error.headers[.wwwAuthenticate] = ServerError.bearer
        }
        guard error.code == ServerError.notFound.code else { return error }
        let methods = routes.methods(for: request.uri.path)
        guard !methods.isEmpty, !methods.contains(request.method.rawValue) else { return error }
        return .methodNotAllowed(methods)
    }

    private func report(_ refusal: ServerError, _ context: ServerContext) {
        context.logger.log(
            level: SignInError.logLevel(
                ofStatus: refusal.status.code,
                code: refusal.code
            ),
            "refused",
            metadata: [
                "code": "\(refusal.code)", "hint": "\(refusal.hint)",
                "route": "\(context.endpointPath ?? "none")",
            ]
        )
    }

    private func response(_ refusal: ServerError, to request: Request) throws -> Response {
        let path = request.uri.path
        let wantsPage =
            WebPath.isPage(path)
            || !WebPath.isAPI(path) && request.headers[.accept]?.contains("text/html") == true
        return wantsPage ? try pages.refusal(refusal) : Problem.response(refusal)
    }
}
