import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird

/// Errors that only administrators see, in English.
extension ServerError {
    static let accountNotFound = Self(
        "account_not_found",
        .notFound,
        "there is no such account",
        hint: "use siwa users list to find its id"
    )

    static func parameter(_ name: String, _ expected: String) -> Self {
        Self(
            AdministrationRoutes.parameterCode,
            .unprocessableContent,
            "the parameter \(name) can't be used",
            hint: "\(name) must be \(expected)"
        )
    }

    static func rotationWaiting(until start: Date) -> Self {
        Self(
            "rotation_waiting",
            .conflict,
            "the key of the last rotation does not sign yet",
            hint: "wait until \(start.formatted(.iso8601)); if a key leaked, add --immediately"
        )
    }

    /// The problem document for an administrator, to whom a failure shows its cause.
    var administratorsProblem: JSONObject {
        let isFailure = status.code >= 500
        return [
            "type": "about:blank", "title": .string(status.reasonPhrase),
            "status": .integer(status.code), "code": .string(code),
            "detail": .string(isFailure ? hint : message),
            "hint": .string(isFailure ? "see the server's log for details" : hint),
        ]
    }
}

/// Responds with errors and their hints, which are meant for administrators.
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
            let refusal = ServerError(any: error)
            await recordRefusal(of: request, refusal)
            let problem = refusal.administratorsProblem
            return .json(problem, status: refusal.status, type: "application/problem+json")
        }
    }

    /// Records refused changes in the audit log; failures are in the server's log.
    private func recordRefusal(of request: Request, _ refusal: ServerError) async {
        guard request.method != .get, refusal.status.code < 500 else { return }
        _ = try? await accounts.recordAdministration(
            .administrationRefused,
            by: AdministrationRoutes.administrator(of: request),
            detail: refusal.code
        )
    }
}
