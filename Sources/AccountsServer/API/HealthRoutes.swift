import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import SignInWithAppleHummingbird

/// What whoever operates the server asks it.
struct HealthRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, "/health/live") { _, _ in .json(["status": "live"]) },
            Route(.get, "/health/ready") { _, _ in
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
