import AppleIdentity
import Foundation

/// An access token for moving everybody of a team.
struct MigrationToken {
    let teamID: TeamID
    let issuedAt: Date

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(issuedAt) >= TimeInterval(AccessToken.lifetimeSeconds)
    }
}
