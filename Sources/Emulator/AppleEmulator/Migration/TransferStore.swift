import AppleIdentity
import Crypto
import Foundation

struct TransferStore {
    static let maximumIdentifierCount = 200_000
    static let maximumTokenCount = 10_000

    /// The last transfer of each primary app.
    private(set) var transfers: [ClientID: Transfer] = [:]
    var accessTokens = BoundedTable<MigrationToken>(maximumCount: maximumTokenCount)
    var subjects = BoundedTable<TransferSubject>(maximumCount: maximumIdentifierCount)
    var identifierKey: Data

    init(identifierKey: Data?) {
        self.identifierKey =
            identifierKey ?? SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
    }

    mutating func add(_ transfer: Transfer) { transfers[transfer.group] = transfer }

    /// The transfer of an app whose 60 days include a time.
    func openTransfer(of group: ClientID, at time: Date) -> Transfer? {
        transfers[group].flatMap { $0.isOpen(at: time) ? $0 : nil }
    }

    mutating func addAccessToken(for client: RegisteredClient, at time: Date) -> String {
        let token = MigrationToken(teamID: client.teamID, issuedAt: time)
        return accessTokens.add(token, as: TokenText.accessToken())
    }

    /// A person's transfer identifier between two teams, the same for all apps.
    func identifier(of person: Person, from: TeamID, to: TeamID) -> UserID {
        let generator = IdentifierGenerator(
            key: identifierKey,
            label: "transfer|\(from)|\(to)|\(person.identityLabel)"
        )
        return TeamIdentity.transferUserID(
            block: person.block(identifierKey: identifierKey),
            generator
        )
    }

    mutating func publish(_ person: Person, from: TeamID, to: TeamID) -> UserID {
        let identifier = identifier(of: person, from: from, to: to)
        if subjects[identifier.rawValue] == nil {
            let subject = TransferSubject(personID: person.id, fromTeam: from, toTeam: to)
            subjects.insert(subject, for: identifier.rawValue)
        }
        return identifier
    }

    mutating func forget(group: ClientID) { transfers[group] = nil }

    /// Removes the transfers from and to a team.
    mutating func forget(_ teamID: TeamID) {
        transfers = transfers.filter { ![$0.value.fromTeam, $0.value.toTeam].contains(teamID) }
        subjects.removeAll { [$0.fromTeam, $0.toTeam].contains(teamID) }
        accessTokens.removeAll { $0.teamID == teamID }
    }

    mutating func forget(_ personID: PersonID) { subjects.removeAll { $0.personID == personID } }

    /// Removes access tokens issued after a time to which the clock was moved back.
    mutating func forget(after time: Date) { accessTokens.removeAll { $0.issuedAt > time } }
}

/// The transfer of an app and its Services IDs to another team.
struct Transfer: Hashable {
    /// The time after a transfer in which users can be migrated, in seconds: 60 days.
    ///
    /// Source: [TN3159](https://developer.apple.com/documentation/technotes/tn3159-migrating-sign-in-with-apple-users-for-an-app-transfer)
    static let windowSeconds: TimeInterval = 60 * 86_400

    var group: ClientID = ""
    var fromTeam: TeamID = ""
    var toTeam: TeamID = ""
    var completedAt: Date = .distantPast

    var windowEnd: Date { completedAt.addingTimeInterval(Self.windowSeconds) }

    func isOpen(at time: Date) -> Bool { time < windowEnd }

    var object: JSONObject {
        [
            "client_id": .string(group.rawValue), "from_team": .string(fromTeam.rawValue),
            "to_team": .string(toTeam.rawValue),
            "completed_at": .string(completedAt.formatted(.iso8601)),
            "window_ends_at": .string(windowEnd.formatted(.iso8601)),
        ]
    }
}

/// The person and the teams of a transfer identifier.
struct TransferSubject: Hashable {
    var personID: PersonID = .unknown
    var fromTeam: TeamID = ""
    var toTeam: TeamID = ""
}

struct MigrationToken {
    var teamID: TeamID = ""
    var issuedAt: Date = .distantPast

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(issuedAt) >= TimeInterval(IssuedAccessToken.lifetimeSeconds)
    }
}
