import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird

/// An error as an administrator's command reads it.
package struct AdministrationRefusal: Error {
    /// The code of an error that other arguments fix.
    package static let parameterCode = "parameter_invalid"

    let code: String
    let status: HTTPResponse.Status
    let message: String
    let hint: String

    static let accountNotFound = AdministrationRefusal(
        code: "account_not_found",
        status: .notFound,
        message: "there is no such account",
        hint: "use siwa users list to find its id"
    )

    static func parameter(_ name: String, _ expected: String) -> AdministrationRefusal {
        AdministrationRefusal(
            code: parameterCode,
            status: .unprocessableContent,
            message: "the parameter \(name) can't be used",
            hint: "\(name) must be \(expected)"
        )
    }

    static func rotationWaiting(until start: Date) -> AdministrationRefusal {
        AdministrationRefusal(
            code: "rotation_waiting",
            status: .conflict,
            message: "the key of the last rotation does not sign yet",
            hint: "wait until \(start.formatted(.iso8601)); if a key leaked, add --immediately"
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
    /// Converts any error that a route throws.
    init(any error: any Error) {
        if let refusal = error as? AdministrationRefusal {
            self = refusal
            return
        }
        let error = ServerError(any: error)
        // The reader is an administrator, so a failure shows its cause.
        let isFailure = error.status.code >= 500
        self.init(
            code: error.code,
            status: error.status,
            message: isFailure ? error.hint : error.message,
            hint: isFailure ? "see the server's log for details" : error.hint
        )
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
            let refusal = AdministrationRefusal(any: error)
            await recordRefusal(of: request, refusal)
            return .json(refusal.problem, status: refusal.status, type: "application/problem+json")
        }
    }

    /// Records refused changes in the audit log; failures are in the server's log.
    private func recordRefusal(of request: Request, _ refusal: AdministrationRefusal) async {
        guard request.method != .get, refusal.status.code < 500 else { return }
        _ = try? await accounts.recordAdministration(
            .administrationRefused,
            by: AdministrationRoutes.administrator(of: request),
            detail: refusal.code
        )
    }
}
