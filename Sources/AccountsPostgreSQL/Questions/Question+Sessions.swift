import Accounts
import AppleIdentity
import Foundation

extension Question {
    mutating func session(named id: SessionID) -> Fact<Session?> {
        first("SELECT \(SessionRow.columns) FROM sessions WHERE id = $1", [.text(id.rawValue)]) {
            row throws(AccountStoreError) in try SessionRow.read(row)
        }
    }

    /// A session that has not expired.
    mutating func liveSession(named id: SessionID, now: Date) -> Fact<Session?> {
        first(
            "SELECT \(SessionRow.columns) FROM sessions WHERE id = $1 AND \(Self.isLater("expires_at", than: "$2"))",
            [.text(id.rawValue), .integer(now.microseconds)]
        ) { row throws(AccountStoreError) in try SessionRow.read(row) }
    }

    mutating func liveSessions(of account: AccountID, now: Date) -> Fact<[Session]> {
        list(
            """
            SELECT \(SessionRow.columns) FROM sessions
            WHERE account_id = $1 AND \(Self.isLater("expires_at", than: "$2"))
            ORDER BY last_used_at DESC, created_at DESC, id
            """,
            [.text(account.rawValue), .integer(now.microseconds)]
        ) { row throws(AccountStoreError) in try SessionRow.read(row) }
    }

    /// What opening a session is decided by.
    ///
    /// - Parameters:
    ///   - opening: the session.
    ///   - key: whose it is to be.
    ///   - guessesNew: takes for granted that this very opening was not carried out before.
    /// - Returns: by what the answer is found.
    mutating func facts(
        of opening: SessionOpening,
        _ key: AccountKey?,
        guessesNew: Bool = false
    ) -> Fact<SessionFacts> {
        let completed = guessesNew ? nil : session(tokenHash: opening.newSession.tokenHash)
        let previous = opening.previousTokenHash.map { session(tokenHash: $0) }
        let surplus = key.map { surplusSessions(of: $0, beside: opening) }
        let device = key.flatMap { opening.notice == nil ? nil : isDeviceKnown(opening, $0) }
        return Fact { answers throws(AccountStoreError) in
            var facts = SessionFacts(completedSession: try answers[completed])
            facts.previousSession = try answers[previous]
            if let surplus { facts.surplusSessions = try answers[surplus] }
            if let device { facts.isDeviceKnown = try answers[device] }
            return facts
        }
    }

    /// By its random hash: all new names are at one end of their index, where whoever looks is in everybody's way.
    private mutating func session(tokenHash hash: SecretHash) -> Fact<Session?> {
        first(
            "SELECT \(SessionRow.columns) FROM sessions WHERE token_hash = $1",
            [.bytes(hash.bytes)]
        ) { row throws(AccountStoreError) in try SessionRow.read(row) }
    }

    private mutating func surplusSessions(
        of key: AccountKey,
        beside opening: SessionOpening
    ) -> Fact<[SessionID]> {
        list(
            """
            SELECT id FROM (
                SELECT id, row_number() OVER (ORDER BY last_used_at DESC, created_at DESC) AS place
                FROM sessions
                WHERE account_id = \(key.sql) AND \(Self.isLater("expires_at", than: key.parameter(0)))
            ) AS live WHERE place > \(key.parameter(1))
            """,
            key.values + [
                .integer(opening.now.microseconds),
                .count(max(opening.maximumSessionCount - 1, 0)),
            ]
        ) { row throws(AccountStoreError) in SessionID(rawValue: try row.text(0)) }
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
