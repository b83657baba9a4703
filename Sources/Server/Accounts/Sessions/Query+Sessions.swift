import AppleIdentity
import Foundation

extension Query {
    /// The columns of a session and its account, for a lookup of many sessions.
    package static var signedInColumns: String { Selections.signedIn.columns }

    /// Reads ``signedInColumns``: the hash of a session's token, and the session.
    package static func signedIn(
        _ row: SQLRow
    ) throws(AccountStoreError) -> (tokenHash: SecretHash, signedIn: SignedInSession) {
        try Selections.signedIn.read(row)
    }

    /// A session, possibly expired, with its account.
    package mutating func signedInSession(tokenHash hash: SecretHash) -> QueryResult<
        SignedInSession?
    > {
        first(Selections.signedIn, "WHERE sessions.token_hash = $1", [.bytes(hash.bytes)])
            .map { $0?.signedIn }
    }

    mutating func session(named id: SessionID) -> QueryResult<Session?> {
        first(Selections.session, "WHERE id = $1", [.text(id.rawValue)])
    }

    /// A session that has not expired.
    mutating func liveSession(named id: SessionID, now: Date) -> QueryResult<Session?> {
        first(
            Selections.session,
            "WHERE id = $1 AND \(Self.isLater("expires_at", than: "$2"))",
            [.text(id.rawValue), .date(now)]
        )
    }

    mutating func liveSessions(of account: AccountID, now: Date) -> QueryResult<[Session]> {
        list(
            Selections.session,
            """
            WHERE account_id = $1 AND \(Self.isLater("expires_at", than: "$2"))
            ORDER BY last_used_at DESC, created_at DESC, id
            """,
            [.text(account.rawValue), .date(now)]
        )
    }

    /// The facts that decide how a session is opened; `key` is nil for a new account.
    mutating func facts(of opening: SessionOpening, _ key: AccountKey?) -> QueryResult<SessionFacts>
    {
        let completed = storedSession(tokenHash: opening.newSession.tokenHash)
        let previous = opening.previousTokenHash.map { storedSession(tokenHash: $0) }
        let surplus = key.map { surplusSessions(of: $0, beside: opening) }
        let device = key.flatMap { opening.mail == nil ? nil : isDeviceKnown(opening, $0) }
        return QueryResult { results in
            var facts = SessionFacts()
            facts.completedSession = try results[completed]
            facts.previousSession = try results[previous]
            if let surplus { facts.surplusSessions = try results[surplus] }
            if let device { facts.isDeviceKnown = try results[device] }
            return facts
        }
    }

    /// Finds the session by its random hash, because new identifiers share one end of their index, where
    /// transactions conflict.
    private mutating func storedSession(tokenHash hash: SecretHash) -> QueryResult<Session?> {
        first(Selections.session, "WHERE token_hash = $1", [.bytes(hash.bytes)])
    }

    private mutating func surplusSessions(
        of key: AccountKey,
        beside opening: SessionOpening
    ) -> QueryResult<[SessionID]> {
        list(
            """
            SELECT id FROM sessions
            WHERE account_id = \(key.sql) AND \(Self.isLater("expires_at", than: key.parameter(0)))
            ORDER BY last_used_at DESC, created_at DESC LIMIT 1000 OFFSET \(key.parameter(1))
            """,
            key.values + [.date(opening.now), .count(max(opening.maximumSessionCount - 1, 0))]
        ) { SessionID(rawValue: try $0.text(0)) }
    }

    private mutating func isDeviceKnown(
        _ opening: SessionOpening,
        _ key: AccountKey
    ) -> QueryResult<Bool> {
        let known = list(
            "SELECT DISTINCT device FROM sessions WHERE account_id = \(key.sql)",
            key.values
        ) { try $0.text(0) }
        let device = Self.withoutVersion(opening.newSession.device)
        return QueryResult { results in
            try results[known].contains { Self.withoutVersion($0) == device }
        }
    }

    /// The name without the version before " on ", as in "Juice 2.1 on iPhone": an update makes no new device.
    private static func withoutVersion(_ device: String) -> String {
        guard let joint = device.range(of: " on "),
            let space = device[..<joint.lowerBound].lastIndex(of: " ")
        else { return device }
        let version = device[space..<joint.lowerBound].dropFirst()
        guard !version.isEmpty, version.allSatisfy({ $0.isNumber || $0 == "." }) else {
            return device
        }
        return device[..<space] + String(device[joint.lowerBound...])
    }
}
