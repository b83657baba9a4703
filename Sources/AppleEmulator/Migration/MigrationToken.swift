import AppleIdentity
import Foundation

/// An access token for moving everybody of a team.
struct MigrationToken {
    var teamID: TeamID = ""
    var issuedAt: Date = .distantPast

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(issuedAt) >= TimeInterval(AccessToken.lifetimeSeconds)
    }
}
