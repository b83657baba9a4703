import HTTPTypes
import Hummingbird

/// Answers in words where the router knows no path.
struct UnknownPath<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError where error.status == .notFound {
            return ControlProblem.notFound.response
        }
    }
}
