import Accounts
import AppleIdentity
import Foundation

extension Question {
    /// A session, possibly expired, with its account.
    package mutating func signedInSession(tokenHash hash: SecretHash) -> Fact<SignedInSession?> {
        first(
            """
            SELECT \(SignedInSessionRow.columns) FROM \(SignedInSessionRow.tables)
            WHERE sessions.token_hash = $1
            """,
            [.bytes(hash.bytes)]
        ) { try SignedInSessionRow.read($0) }
    }

    mutating func session(named id: SessionID) -> Fact<Session?> {
        first("SELECT \(SessionRow.columns) FROM sessions WHERE id = $1", [.text(id.rawValue)]) {
            try SessionRow.read($0)
        }
    }

    /// A session that has not expired.
    mutating func liveSession(named id: SessionID, now: Date) -> Fact<Session?> {
        first(
            "SELECT \(SessionRow.columns) FROM sessions WHERE id = $1 AND \(Self.isLater("expires_at", than: "$2"))",
            [.text(id.rawValue), .date(now)]
        ) { try SessionRow.read($0) }
    }

    mutating func liveSessions(of account: AccountID, now: Date) -> Fact<[Session]> {
        list(
            """
            SELECT \(SessionRow.columns) FROM sessions
            WHERE account_id = $1 AND \(Self.isLater("expires_at", than: "$2"))
            ORDER BY last_used_at DESC, created_at DESC, id
            """,
            [.text(account.rawValue), .date(now)]
        ) { try SessionRow.read($0) }
    }

    /// The facts that decide how a session is opened; `key` is nil for a new account.
    mutating func facts(of opening: SessionOpening, _ key: AccountKey?) -> Fact<SessionFacts> {
        let completed = session(tokenHash: opening.newSession.tokenHash)
        let previous = opening.previousTokenHash.map { session(tokenHash: $0) }
        let surplus = key.map { surplusSessions(of: $0, beside: opening) }
        let device = key.flatMap { opening.notice == nil ? nil : isDeviceKnown(opening, $0) }
        return Fact { answers in
            var facts = SessionFacts.empty
            facts.completedSession = try answers[completed]
            facts.previousSession = try answers[previous]
            if let surplus { facts.surplusSessions = try answers[surplus] }
            if let device { facts.isDeviceKnown = try answers[device] }
            return facts
        }
    }

    /// Finds the session by its random hash, because new identifiers share one end of their index, where
    /// transactions conflict.
    private mutating func session(tokenHash hash: SecretHash) -> Fact<Session?> {
        first(
            "SELECT \(SessionRow.columns) FROM sessions WHERE token_hash = $1",
            [.bytes(hash.bytes)]
        ) { try SessionRow.read($0) }
    }

    private mutating func surplusSessions(
        of key: AccountKey,
        beside opening: SessionOpening
    ) -> Fact<[SessionID]> {
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
    ) -> Fact<Bool> {
        exists(
            "sessions WHERE account_id = \(key.sql) AND device = \(key.parameter(0))",
            key.values + [.text(opening.newSession.device)]
        )
    }
}
