import Accounts
import AppleIdentity
import Foundation

extension SQLAccountStore {
    package func createAccount(
        _ creation: AccountCreation
    ) async throws(AccountStoreError) -> PasswordOutcome {
        try await database.decide { question in
            let account = question.account(.id(creation.account.id))
            let other = creation.account.username.map {
                question.accountID(named: Username(stored: $0))
            }
            let sessions = question.facts(of: creation.opening, nil)
            let throttles = question.throttles(creation.throttles)
            return Fact { answers in
                var facts = PasswordFacts.empty
                facts.account = try answers[account]
                facts.accountOfUsername = try answers[other]
                facts.sessions = try answers[sessions]
                facts.throttles = try answers[throttles]
                return creation.decision(given: facts)
            }
        }
    }

    package func beginPasswordCheck(
        _ attempt: PasswordAttempt
    ) async throws(AccountStoreError) -> PasswordChallenge {
        try await database.decide { question in
            let password = attempt.username.map { question.password(of: .username($0)) }
            let throttles = question.throttles(attempt.throttles)
            let isDone = question.isUsed(attempt.mark)
            return Fact { answers in
                var facts = PasswordFacts.empty
                facts.password = try answers[password]
                facts.throttles = try answers[throttles]
                return attempt.decision(given: facts, isDone: try answers[isDone])
            }
        }
    }

    package func completePasswordSignIn(
        _ signIn: PasswordSignIn
    ) async throws(AccountStoreError) -> PasswordOutcome {
        try await database.decide { question in
            let key = AccountKey.id(signIn.checked.account)
            let account = question.account(key)
            let password = question.password(of: key)
            let sessions = question.facts(of: signIn.opening, key)
            let throttles = question.throttles(signIn.returnedThrottles)
            return Fact { answers in
                var facts = PasswordFacts.empty
                facts.account = try answers[account]
                facts.password = try answers[password]
                facts.sessions = try answers[sessions]
                facts.throttles = try answers[throttles]
                return signIn.decision(given: facts)
            }
        }
    }

    package func requestPasswordReset(
        _ request: PasswordResetRequest
    ) async throws(AccountStoreError) -> PasswordResetOutcome {
        try await database.decide { question in
            let accounts = question.accounts(meantBy: request)
            let throttles = question.throttles(request.throttles)
            let links = request.links.map { question.mailToken($0.hash, now: request.now) }
            return Fact { answers in
                var isDone = false
                for link in links where try answers[link] != nil { isDone = true }
                return request.decision(
                    given: try answers[accounts],
                    throttles: try answers[throttles],
                    isDone: isDone
                )
            }
        }
    }

    /// Returns a mail link that is still valid, with its account.
    package func mailToken(
        _ hash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> (token: MailToken, account: Account)? {
        try await database.read { question in
            let token = question.mailToken(hash, now: now)
            let account = question.account(.mailToken(hash, now: now, orElse: nil))
            return Fact { answers in
                guard let token = try answers[token], let account = try answers[account] else {
                    return nil
                }
                return (token, account)
            }
        }
    }
}

extension Question {
    fileprivate mutating func accounts(
        meantBy request: PasswordResetRequest
    ) -> Fact<[Account]> {
        let named = request.username.map { account(.username($0)) }
        // A username may be another user's email address: the accounts that verified the address count too.
        let addressed = request.address.map { address in
            list(
                """
                SELECT \(AccountRow.columns) FROM \(AccountRow.tables)
                WHERE accounts.email_key = $1 AND accounts.username IS NOT NULL
                    AND accounts.email_is_verified
                ORDER BY accounts.created_at LIMIT $2
                """,
                [.text(address), .count(request.links.count)]
            ) { try AccountRow.read($0) }
        }
        return Fact { answers in
            let first = try answers[named]
            var accounts = [first].compactMap(\.self)
            if let addressed {
                accounts += try answers[addressed].compactMap(\.self).filter { $0.id != first?.id }
            }
            return accounts
        }
    }
}
