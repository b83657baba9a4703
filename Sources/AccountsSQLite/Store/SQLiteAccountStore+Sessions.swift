import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Looks for a session in memory.
    package func rememberedSession(tokenHash: SecretHash) -> SignedInSession? {
        guard case .found(let cached) = cache.find(tokenHash) else { return nil }
        return cached
    }

    /// Looks a session up on the thread of who asks, unless the disk is slow.
    package func findSession(tokenHash: SecretHash, for receiver: any SessionReceiver) -> Bool {
        guard let found = findSession(tokenHash) else { return false }
        receiver.take { () throws(AccountStoreError) in found }
        receiver.answersEnd()
        return true
    }

    /// Looks up a live session and its account, in memory or by one statement.
    package func session(
        tokenHash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> SignedInSession? {
        let found: SignedInSession?
        if let known = findSession(tokenHash) {
            found = known
        } else {
            let generation = cache.generation
            found = try await read { try $0.signedInSession(tokenHash) }
            if let found { cache.fill(tokenHash, found, generation: generation) }
        }
        return found.flatMap { $0.session.expiresAt > now ? $0 : nil }
    }

    /// Looks for a session in memory and then in the file; nil when that would take too long.
    private func findSession(_ hash: SecretHash) -> SignedInSession?? {
        switch cache.find(hash) {
        case .found(let cached): return .some(cached)
        case .missing(let generation):
            guard let found = immediateReads.read({ try $0.signedInSession(hash) }) else {
                return nil
            }
            if let found { cache.fill(hash, found, generation: generation) }
            return .some(found)
        }
    }

    /// Lists an account's live sessions.
    package func sessions(
        of account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> [Session] {
        try await read { try $0.liveSessions(of: account, now: now) }
    }

    /// Writes down that sessions were used.
    package func recordUses(_ uses: [SessionUse]) async throws(AccountStoreError) {
        var rest = uses[...]
        // A transaction of bounded length: a sign-in may wait behind it.
        while !rest.isEmpty {
            let batch = rest.prefix(Self.maximumUseCount).map { StoreWrite.recordUse($0) }
            rest = rest.dropFirst(Self.maximumUseCount)
            try await writer.decide { _ in Decision((), batch) }
        }
    }

    private static let maximumUseCount = 500

    /// Ends one session of an account.
    package func endSession(
        _ session: SessionID,
        of account: AccountID,
        audit: AuditContext?,
        now: Date
    ) async throws(AccountStoreError) -> Bool {
        try await writer.decide { database in
            AccountRules.end(
                try database.session(named: session),
                of: account,
                owner: try database.account(account),
                audit: audit,
                recorded: try database.auditEntry(of: audit),
                now: now
            )
        }
    }

    /// Ends all sessions of an account, or all but one.
    package func endSessions(
        of account: AccountID,
        except session: SessionID?,
        audit: AuditContext?,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await writer.decide { database in
            AccountRules.endOthers(
                try database.liveSessions(of: account, now: now),
                of: account,
                owner: try database.account(account),
                than: session,
                audit: audit,
                recorded: try database.auditEntry(of: audit)
            )
        }
    }
}

extension Database {
    /// What opening a session is decided by; one that may have been opened already is looked for.
    func facts(
        of opening: SessionOpening,
        _ account: AccountID?,
        mayBeDone: Bool
    ) throws -> SessionFacts {
        var facts = SessionFacts()
        if mayBeDone { facts.completedSession = try session(named: opening.newSession.id) }
        if let hash = opening.previousTokenHash {
            facts.previousSession = try row(
                "SELECT \(SessionRow.columns) FROM sessions WHERE token_hash = ?",
                [hash.bytes]
            )
            .map(SessionRow.read)
        }
        guard let account else { return facts }
        facts.surplusSessions = try surplusSessions(of: account, beside: opening)
        if opening.notice != nil {
            facts.isDeviceKnown =
                try row(
                    "SELECT 1 FROM sessions WHERE account_id = ? AND device = ? LIMIT 1",
                    [account.rawValue, opening.newSession.device]
                ) != nil
        }
        return facts
    }

    private func surplusSessions(
        of account: AccountID,
        beside opening: SessionOpening
    ) throws -> [SessionID] {
        try rows(
            """
            SELECT id FROM sessions WHERE account_id = ? AND expires_at > ?
            ORDER BY last_used_at DESC, created_at DESC LIMIT -1 OFFSET ?
            """,
            [
                account.rawValue, opening.now.microseconds,
                max(opening.maximumSessionCount - 1, 0),
            ]
        )
        .map { SessionID(rawValue: $0[0]) }
    }

    func session(named id: SessionID) throws -> Session? {
        try row("SELECT \(SessionRow.columns) FROM sessions WHERE id = ?", [id.rawValue])
            .map(SessionRow.read)
    }

    func signedInSession(_ hash: SecretHash) throws -> SignedInSession? {
        try firstRow(SignedInSessionRow.byToken, [hash.bytes], SignedInSessionRow.read)
    }

    func liveSessions(of account: AccountID, now: Date) throws -> [Session] {
        try rows(
            """
            SELECT \(SessionRow.columns) FROM sessions
            WHERE account_id = ? AND expires_at > ?
            ORDER BY last_used_at DESC, created_at DESC, id
            """,
            [account.rawValue, now.microseconds]
        )
        .map(SessionRow.read)
    }
}
