import AppleIdentity
import Foundation

/// How many uses one transaction records; others may have to wait for it.
private let maximumUseCount = 500

extension AccountStore {
    /// Returns a session, perhaps expired, that the database has in memory; nil when a lookup is necessary.
    package func rememberedSession(tokenHash: SecretHash) -> SignedInSession? {
        database.sessionMemory?.storedSession(tokenHash: tokenHash)
    }

    /// Reads a session that has not expired, and its account, from the database.
    package func session(
        tokenHash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> SignedInSession? {
        let found = try await database.storedSession(tokenHash: tokenHash)
        return found.flatMap { $0.session.expiresAt > now ? $0 : nil }
    }

    /// Reads a session that has not expired.
    package func session(
        _ id: SessionID,
        now: Date
    ) async throws(AccountStoreError) -> Session? {
        try await database.read { $0.liveSession(named: id, now: now) }
    }

    /// Returns an account's sessions that have not expired, the latest used first.
    package func sessions(
        of account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> [Session] {
        try await database.read { $0.liveSessions(of: account, now: now) }
    }

    /// Saves uses of sessions; sessions that have ended in the meantime stay ended.
    ///
    /// Records uses in the order of their sessions to prevent deadlocks between processes.
    package func recordUses(_ uses: [SessionUse]) async throws(AccountStoreError) {
        var rest = uses.sorted { $0.session.rawValue < $1.session.rawValue }[...]
        while !rest.isEmpty {
            try await database.write(rest.prefix(maximumUseCount).map { .recordUse($0) })
            rest = rest.dropFirst(maximumUseCount)
        }
    }

    /// Ends a session of an account, by a sign-out in it or from elsewhere, and returns whether it was active.
    package func endSession(
        _ session: SessionID,
        of account: AccountID,
        isSignOut: Bool = false,
        audit: AuditContext? = nil,
        now: Date
    ) async throws(AccountStoreError) -> Bool {
        try await database.decide { query in
            let found = query.session(named: session)
            let owner = query.account(.id(account))
            let recorded = query.auditEntry(of: audit)
            return QueryResult { results in
                AccountRules.end(
                    try results[found],
                    of: account,
                    owner: try results[owner],
                    isSignOut: isSignOut,
                    audit: audit,
                    isDone: try results[recorded]?.account == account,
                    now: now
                )
            }
        }
    }

    /// Ends all sessions of an account, or all but one, and returns their number.
    package func endSessions(
        of account: AccountID,
        except session: SessionID?,
        audit: AuditContext? = nil,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await database.decide { query in
            let sessions = query.liveSessions(of: account, now: now)
            let owner = query.account(.id(account))
            let recorded = query.auditEntry(of: audit)
            return QueryResult { results in
                AccountRules.endOthers(
                    try results[sessions],
                    of: account,
                    owner: try results[owner],
                    than: session,
                    audit: audit,
                    earlierCount: try results[recorded]?.count
                )
            }
        }
    }
}
