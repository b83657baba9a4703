import AppleIdentity
import Foundation

extension AccountStore {
    /// Creates an account with a password and a session, by the rule of `AccountCreation`; returns the session or the
    /// refusal.
    package func createAccount(
        _ creation: AccountCreation
    ) async throws(AccountStoreError) -> SignInOutcome {
        try await database.decide { query in
            let account = query.account(.id(creation.account.id))
            let other = creation.account.username.map {
                query.accountID(named: Username(stored: $0))
            }
            let sessions = query.facts(of: creation.opening, nil)
            let throttles = query.throttles(creation.throttles)
            return QueryResult { results in
                var facts = PasswordFacts()
                facts.account = try results[account]
                facts.accountOfUsername = try results[other]
                facts.sessions = try results[sessions]
                facts.throttles = try results[throttles]
                return creation.decision(given: facts)
            }
        }
    }

    /// Counts an attempt before the password is checked, by the rule of `PasswordAttempt`; returns the passwords to
    /// check against or the time to wait.
    package func beginPasswordCheck(
        _ attempt: PasswordAttempt
    ) async throws(AccountStoreError) -> PasswordChallenge {
        try await database.decide { query in
            let passwords = attempt.usernames.map { query.password(of: .username($0)) }
            let throttles = query.throttles(attempt.throttles)
            let isDone = query.isUsed(attempt.idempotencyKey)
            return QueryResult { results in
                attempt.decision(
                    given: try passwords.map { try results[$0] },
                    throttles: try results[throttles],
                    isDone: try results[isDone]
                )
            }
        }
    }

    /// Creates a session after the password was found right, by the rule of `PasswordSignIn`; returns the session or
    /// the refusal.
    package func completePasswordSignIn(
        _ signIn: PasswordSignIn
    ) async throws(AccountStoreError) -> SignInOutcome {
        try await database.decide { query in
            let key = AccountKey.id(signIn.checked.account)
            let account = query.account(key)
            let password = query.password(of: key)
            let sessions = query.facts(of: signIn.opening, key)
            let throttles = query.throttles(signIn.returnedThrottles)
            return QueryResult { results in
                var facts = PasswordFacts()
                facts.account = try results[account]
                facts.password = try results[password]
                facts.sessions = try results[sessions]
                facts.throttles = try results[throttles]
                return signIn.decision(given: facts)
            }
        }
    }

    /// Queues password reset emails, by the rule of `PasswordResetRequest`; returns their number or the time to wait.
    package func requestPasswordReset(
        _ request: PasswordResetRequest
    ) async throws(AccountStoreError) -> PasswordResetOutcome {
        try await database.decide { query in
            let accounts = query.accounts(meantBy: request)
            let throttles = query.throttles(request.throttles)
            let isDone = query.isUsed(request.idempotencyKey)
            return QueryResult { results in
                request.decision(
                    given: try results[accounts],
                    throttles: try results[throttles],
                    isDone: try results[isDone]
                )
            }
        }
    }

    /// Returns the username if an account has it, and that of the one account with a password that confirmed the email
    /// address, which is in lower case.
    package func usernames(
        _ username: Username?,
        confirming address: String
    ) async throws(AccountStoreError) -> [Username] {
        try await database.read { query in
            let named = username.map { query.accountID(named: $0) }
            let owners = query.accounts(confirming: address, limit: 2)
            return QueryResult { results in
                let isTaken = try results[named] != nil
                let owners = try results[owners].compactMap(\.username)
                let owner = owners.count == 1 ? Username(stored: owners[0]) : nil
                let other = owner == username ? nil : owner
                return [isTaken ? username : nil, other].compactMap(\.self)
            }
        }
    }

    /// Looks up a link of a mail that is still valid, and its account.
    package func mailToken(
        _ hash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> (token: MailToken, account: Account)? {
        try await database.read { query in
            let token = query.mailToken(hash, now: now)
            let account = query.account(.mailToken(hash, now: now, orElse: nil))
            return QueryResult { results in
                guard let token = try results[token], let account = try results[account] else {
                    return nil
                }
                return (token, account)
            }
        }
    }
}

extension Query {
    fileprivate mutating func accounts(
        meantBy request: PasswordResetRequest
    ) -> QueryResult<[Account]> {
        let named = request.username.map { account(.username($0)) }
        // A username may be another user's email address: the accounts that verified the address count too.
        let addressed = request.address.map {
            accounts(confirming: $0, limit: request.links.count)
        }
        return QueryResult { results in
            let first = try results[named]
            var accounts = [first].compactMap(\.self)
            if let addressed {
                accounts += try results[addressed].filter { $0.id != first?.id }
            }
            return accounts
        }
    }

    /// The oldest accounts with a password that confirmed an email address.
    ///
    /// The sum in the order excludes the index by age, which PostgreSQL may prefer until it has counted the rows.
    mutating func accounts(confirming address: String, limit: Int) -> QueryResult<[Account]> {
        list(
            Selections.account,
            """
            WHERE accounts.email_key = $1 AND accounts.username IS NOT NULL
                AND accounts.email_is_verified
            ORDER BY accounts.created_at + 0 LIMIT $2
            """,
            [.text(address), .count(limit)]
        )
    }
}
