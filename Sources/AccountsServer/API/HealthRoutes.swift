import Accounts
import AppleIdentity
import Hummingbird

/// What whoever operates the server asks it.
struct HealthRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, "/health/live") { _, _ in .json(["status": "live"]) },
            Route(.get, "/health/ready") { _, _ in
                try await server.accounts.checkReadiness()
                return .json(["status": "ready"])
            },
        ]
    }
}
