import Accounts
import AppleIdentity
import HTTPTypes
import OpenAPIDescription

/// What whoever operates the server asks it.
struct HealthRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, "/health/live", Self.live) { _, _ in .json(["status": "live"]) },
            Route(.get, "/health/ready", Self.ready) { _, _ in
                try await checkStore()
                return .json(["status": "ready"])
            },
        ]
    }

    /// A replica whose store can't be written to must get no requests for a while.
    private func checkStore() async throws {
        do {
            try await server.accounts.checkReadiness()
        } catch {
            throw ServerError(error)
        }
    }
}

extension HealthRoutes {
    private static let live = Operation(
        id: "isLive",
        group: .operation,
        summary: "Whether the process answers",
        answer: .ok("It does.", .object([.required("status", .word(["live"]))]))
    )

    private static let ready = Operation(
        id: "isReady",
        group: .operation,
        summary: "Whether the store can be written to",
        answer: .ok("It can.", .object([.required("status", .word(["ready"]))])),
        refusals: [.storeUnavailable]
    )
}
