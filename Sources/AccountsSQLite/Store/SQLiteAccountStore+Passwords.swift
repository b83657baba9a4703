import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Makes an account with a password.
    package func createAccount(
        _ creation: AccountCreation
    ) async throws(AccountStoreError) -> PasswordOutcome {
        try await writer.decide { database in
            let username = creation.account.username.map { Username(stored: $0) }
            let facts = PasswordFacts(
                account: try database.account(creation.account.id),
                accountOfUsername: try username.flatMap { try database.account(named: $0) },
                sessions: try database.facts(of: creation.opening, nil, mayBeDone: true)
            )
            return creation.decision(given: facts)
        }
    }

    /// Counts an attempt before the password is looked at.
    package func beginPasswordCheck(
        _ attempt: PasswordAttempt
    ) async throws(AccountStoreError) -> PasswordChallenge {
        try await writer.decide { database in
            let account = try attempt.username.flatMap { try database.account(named: $0) }
            let facts = PasswordFacts(
                password: try account.flatMap { try database.password(of: $0) },
                throttles: try database.throttles(attempt.throttles)
            )
            return attempt.decision(given: facts, isDone: try database.isUsed(attempt.mark))
        }
    }

    /// Opens a session after the password was found right.
    package func completePasswordSignIn(
        _ signIn: PasswordSignIn
    ) async throws(AccountStoreError) -> PasswordOutcome {
        try await writer.decide { database in
            let account = signIn.checked.account
            let facts = PasswordFacts(
                account: try database.account(account),
                password: try database.password(of: account),
                sessions: try database.facts(of: signIn.opening, account, mayBeDone: true),
                throttles: try database.throttles(signIn.returnedThrottles)
            )
            return signIn.decision(given: facts)
        }
    }

    /// Queues the mails by which a forgotten password is set anew.
    package func requestPasswordReset(
        _ request: PasswordResetRequest
    ) async throws(AccountStoreError) -> PasswordResetOutcome {
        try await writer.decide { database in
            request.decision(
                given: try database.accounts(meantBy: request),
                throttles: try database.throttles(request.throttles),
                isDone: try request.links.contains { link in
                    try database.mailToken(link.hash, now: request.now) != nil
                }
            )
        }
    }

    /// Looks up the link of a mail that may still be followed.
    package func mailToken(
        _ hash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> (token: MailToken, account: Account)? {
        try await read { database in
            guard let token = try database.mailToken(hash, now: now),
                let account = try database.account(token.account)
            else { return nil }
            return (token, account)
        }
    }
}

extension Database {
    /// Whether a hash was used up already.
    func isUsed(_ hash: SecretHash) throws -> Bool {
        try row("SELECT 1 FROM used_once WHERE hash = ?", [hash.bytes]) != nil
    }

    func account(named username: Username) throws -> AccountID? {
        try row("SELECT id FROM accounts WHERE username = ?", [username.text])
            .map { AccountID(rawValue: $0[0]) }
    }

    func password(of account: AccountID) throws -> StoredPassword? {
        try row(
            "SELECT hash, changed_at FROM passwords WHERE account_id = ?",
            [account.rawValue]
        )
        .map { row in
            StoredPassword(
                account: account,
                hash: row[0],
                changedAt: Date(microseconds: row[1])
            )
        }
    }

    func throttles(_ uses: [ThrottleUse]) throws -> [Throttle] {
        try uses.compactMap { use in
            try row(
                """
                SELECT attempt_count, blocked_until, expires_at FROM throttles WHERE key = ?
                """,
                [use.key.bytes]
            )
            .map { row in
                Throttle(
                    key: use.key,
                    attemptCount: row[0],
                    blockedUntil: Date(microseconds: row[1]),
                    expiresAt: Date(microseconds: row[2])
                )
            }
        }
    }

    func mailToken(_ hash: SecretHash, now: Date) throws -> MailToken? {
        try row(
            """
            SELECT \(MailTokenRow.columns) FROM mail_tokens WHERE hash = ? AND expires_at > ?
            """,
            [hash.bytes, now.microseconds]
        )
        .flatMap(MailTokenRow.read)
    }

    fileprivate func accounts(meantBy request: PasswordResetRequest) throws -> [Account] {
        let named = try request.username.flatMap { try account(named: $0) }.flatMap {
            try account($0)
        }
        guard let address = request.address else { return [named].compactMap(\.self) }
        // Anybody can take an address as their name: whoever proved it is meant too.
        let addressed = try rows(
            """
            SELECT \(AccountRow.columns) FROM \(AccountRow.tables)
            WHERE lower(accounts.email) = ? AND accounts.username IS NOT NULL
                AND accounts.email_is_verified
            ORDER BY accounts.created_at LIMIT ?
            """,
            [address, request.links.count]
        )
        .compactMap { try AccountRow.read($0) }
        return [named].compactMap(\.self) + addressed.filter { $0.id != named?.id }
    }
}
