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
                // A load balancer must send no requests to a server whose store is not writable.
                try await server.accounts.checkReadiness()
                return .json(["status": "ready"])
            },
        ]
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
