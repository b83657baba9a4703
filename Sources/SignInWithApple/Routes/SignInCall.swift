import HTTPTypes
import Logging

/// A request of a route, with what the framework passes to the developer's functions.
struct SignInCall<Context> {
    let request: SignInRequest
    let context: Context
    let logger: Logger
    /// The path of the route.
    let route: String

    var head: HTTPRequest { request.head }

    func log(_ message: Logger.Message, _ refusal: RefusedSignIn) {
        logger.log(
            level: SignInError.logLevel(ofStatus: refusal.status.code, code: refusal.code),
            message,
            metadata: [
                "code": "\(refusal.code)", "hint": "\(refusal.hint)", "route": "\(route)",
            ]
        )
    }
}
