import Accounts
import AppleIdentity
import Foundation

/// How many uses one transaction records; others may have to wait for it.
private let maximumUseCount = 500

extension SQLAccountStore {
    package func session(
        _ id: SessionID,
        now: Date
    ) async throws(AccountStoreError) -> Session? {
        try await database.read { $0.liveSession(named: id, now: now) }
    }

    package func sessions(
        of account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> [Session] {
        try await database.read { $0.liveSessions(of: account, now: now) }
    }

    /// Records uses in the order of their sessions to prevent deadlocks between processes.
    package func recordUses(_ uses: [SessionUse]) async throws(AccountStoreError) {
        var rest = uses.sorted { $0.session.rawValue < $1.session.rawValue }[...]
        while !rest.isEmpty {
            try await database.write(rest.prefix(maximumUseCount).map { .recordUse($0) })
            rest = rest.dropFirst(maximumUseCount)
        }
    }

    package func endSession(
        _ session: SessionID,
        of account: AccountID,
        audit: AuditContext?,
        now: Date
    ) async throws(AccountStoreError) -> Bool {
        try await database.decide { question in
            let found = question.session(named: session)
            let owner = question.account(.id(account))
            let recorded = question.auditEntry(of: audit)
            return Fact { answers in
                AccountRules.end(
                    try answers[found],
                    of: account,
                    owner: try answers[owner],
                    audit: audit,
                    recorded: try answers[recorded],
                    now: now
                )
            }
        }
    }

    package func endSessions(
        of account: AccountID,
        except session: SessionID?,
        audit: AuditContext?,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await database.decide { question in
            let sessions = question.liveSessions(of: account, now: now)
            let owner = question.account(.id(account))
            let recorded = question.auditEntry(of: audit)
            return Fact { answers in
                AccountRules.endOthers(
                    try answers[sessions],
                    of: account,
                    owner: try answers[owner],
                    than: session,
                    audit: audit,
                    recorded: try answers[recorded]
                )
            }
        }
    }
}
