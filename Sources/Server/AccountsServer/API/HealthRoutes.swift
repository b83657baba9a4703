import Accounts
import AppleIdentity
import HTTPTypes
import OpenAPIDescription

/// The health checks for orchestrators and load balancers.
struct HealthRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, "/health/live", as: Self.live) { _, _ in .json(["status": "live"]) },
            Route(.get, "/health/ready", as: Self.ready) { _, _ in
                try await checkStore()
                return .json(["status": "ready"])
            },
        ]
    }

    /// Fails when the store is not writable: a load balancer must then send no requests here.
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
        summary: "Whether the process responds",
        answer: .ok("It responds.", .object([.required("status", .word(["live"]))]))
    )

    private static let ready = Operation(
        id: "isReady",
        group: .operation,
        summary: "Whether the store is writable",
        answer: .ok("It is writable.", .object([.required("status", .word(["ready"]))])),
        refusals: [.storeUnavailable]
    )
}
