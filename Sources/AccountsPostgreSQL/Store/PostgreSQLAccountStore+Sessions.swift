import Accounts
import AppleIdentity
import Foundation

extension PostgreSQLAccountStore {
    /// How many uses one transaction writes down.
    private static let maximumUseCount = 500

    /// Looks up a session and its account, together with what others look up at the same time.
    package func findSession(tokenHash: SecretHash, for receiver: any SessionReceiver) -> Bool {
        sessionReads.read(tokenHash.bytes, for: SessionReader(receiver: receiver))
        return true
    }

    /// Looks up a live session and its account, in the same way for a task.
    package func session(
        tokenHash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> SignedInSession? {
        guard let row = try await sessionReads.row(of: tokenHash.bytes),
            let found = try SessionRow.readSignedIn(row, from: 1), found.session.expiresAt > now
        else { return nil }
        return found
    }

    /// Lists an account's live sessions.
    package func sessions(
        of account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> [Session] {
        try await database.read { $0.liveSessions(of: account, now: now) }
    }

    /// Writes down that sessions were used.
    package func recordUses(_ uses: [SessionUse]) async throws(AccountStoreError) {
        // In one order, so that two processes with the same sessions do not wait for each other.
        var rest = uses.sorted { $0.session.rawValue < $1.session.rawValue }[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.maximumUseCount).map(\.statement)
            rest = rest.dropFirst(Self.maximumUseCount)
            try await database.run(batch)
        }
    }

    /// Ends one session of an account.
    package func endSession(
        _ session: SessionID,
        of account: AccountID,
        audit: AuditContext?,
        now: Date
    ) async throws(AccountStoreError) -> Bool {
        try await database.decide(guessing: { question in
            let found = question.session(named: session)
            let owner = question.account(.id(account))
            return { answers throws(AccountStoreError) in
                guard let found = try answers[found] else { return nil }
                return AccountRules.end(
                    found,
                    of: account,
                    owner: try answers[owner],
                    audit: audit,
                    now: now
                )
            }
        }) { question in
            let found = question.session(named: session)
            let owner = question.account(.id(account))
            let recorded = question.auditEntry(of: audit)
            return { answers throws(AccountStoreError) in
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

    /// Ends all sessions of an account, or all but one.
    package func endSessions(
        of account: AccountID,
        except session: SessionID?,
        audit: AuditContext?,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await database.decide(guessing: { question in
            let sessions = question.liveSessions(of: account, now: now)
            let owner = question.account(.id(account))
            return { answers throws(AccountStoreError) in
                let ending = try answers[sessions]
                guard ending.contains(where: { $0.id != session }) else { return nil }
                return AccountRules.endOthers(
                    ending,
                    of: account,
                    owner: try answers[owner],
                    than: session,
                    audit: audit
                )
            }
        }) { question in
            let sessions = question.liveSessions(of: account, now: now)
            let owner = question.account(.id(account))
            let recorded = question.auditEntry(of: audit)
            return { answers throws(AccountStoreError) in
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

/// Passes rows of sessions on.
private struct SessionReader: KeyedReader {
    let receiver: any SessionReceiver

    func take(_ answer: Result<Row?, AccountStoreError>) {
        receiver.take { () throws(AccountStoreError) in
            guard let row = try answer.get() else { return nil }
            return try SessionRow.readSignedIn(row, from: 1)
        }
    }

    func answersEnd() { receiver.answersEnd() }
}
