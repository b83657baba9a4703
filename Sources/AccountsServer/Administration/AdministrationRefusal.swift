import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird

/// A refusal as an administrator's command reads it; no page ever tells it.
package struct AdministrationRefusal: Error {
    /// The code of a refusal that better arguments fix.
    package static let parameterCode = "parameter_invalid"

    let code: String
    let status: HTTPResponse.Status
    let message: String
    let hint: String

    static let accountNotFound = AdministrationRefusal(
        code: "account_not_found",
        status: .notFound,
        message: "there is no such account",
        hint: "siwa users list finds its id"
    )

    static func parameter(_ name: String, _ expected: String) -> AdministrationRefusal {
        AdministrationRefusal(
            code: parameterCode,
            status: .unprocessableContent,
            message: "the parameter \(name) can't be used",
            hint: "\(name) has to be \(expected)"
        )
    }

    var problem: JSONObject {
        [
            "type": "about:blank", "title": .string(status.reasonPhrase),
            "status": .integer(status.code), "code": .string(code), "detail": .string(message),
            "hint": .string(hint),
        ]
    }
}

extension AdministrationRefusal {
    /// Finds the refusal in whatever was thrown.
    init(any error: any Error) {
        if let refusal = error as? AdministrationRefusal {
            self = refusal
            return
        }
        let error = ServerError(any: error)
        // What failed is for no visitor here: its cause comes first.
        let isFailure = error.status.code >= 500
        self.init(
            code: error.code,
            status: error.status,
            message: isFailure ? error.hint : error.message,
            hint: isFailure ? "the server's log may tell more" : error.hint
        )
    }
}

/// Tells an administrator what was refused, with the hint: it is for them.
struct AdministrationRefusals: RouterMiddleware {
    let accounts: AccountsService

    @concurrent
    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let refusal = AdministrationRefusal(any: error)
            await recordRefusal(of: request, refusal)
            return .json(refusal.problem, status: refusal.status, type: "application/problem+json")
        }
    }

    /// A change that somebody tried matters, also when there was nothing to be changed; what failed is in the log.
    private func recordRefusal(of request: Request, _ refusal: AdministrationRefusal) async {
        guard request.method != .get, refusal.status.code < 500 else { return }
        _ = try? await accounts.recordAdministration(
            .administrationRefused,
            by: AdministrationRoutes.administrator(of: request),
            detail: refusal.code
        )
    }
}
