import AppleIdentity
import Foundation

/// An app, with its Services IDs, that went from one team to another.
struct Transfer: Hashable {
    /// For how long people can be moved after an app, in seconds: 60 days.
    ///
    /// Source: [TN3159](https://developer.apple.com/documentation/technotes/tn3159-migrating-sign-in-with-apple-users-for-an-app-transfer)
    static let windowSeconds: TimeInterval = 60 * 86_400

    /// The primary app.
    var group: ClientID = ""
    var fromTeam: TeamID = ""
    var toTeam: TeamID = ""
    var completedAt: Date = .distantPast

    var windowEnd: Date { completedAt.addingTimeInterval(Self.windowSeconds) }

    func isOpen(at time: Date) -> Bool { time < windowEnd }

    var object: JSONObject {
        [
            "client_id": .string(group.rawValue),
            "from_team": .string(fromTeam.rawValue),
            "to_team": .string(toTeam.rawValue),
            "completed_at": .string(completedAt.formatted(.iso8601)),
            "window_ends_at": .string(windowEnd.formatted(.iso8601)),
        ]
    }
}

/// Whom an identifier between two teams stands for.
struct TransferSubject: Hashable {
    var personID: PersonID = .nobody
    var fromTeam: TeamID = ""
    var toTeam: TeamID = ""
}

/// An access token for moving everybody of a team.
struct MigrationToken {
    var teamID: TeamID = ""
    var issuedAt: Date = .distantPast

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(issuedAt) >= TimeInterval(AccessToken.lifetimeSeconds)
    }
}
