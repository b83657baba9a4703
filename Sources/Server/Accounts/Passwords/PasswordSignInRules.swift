import Foundation

/// The facts that decide the creation of an account or a sign-in with a password.
package struct PasswordFacts: Hashable, Sendable {
    /// The account of the checked password, or with the new account's identifier.
    package var account: Account?
    package var accountOfUsername: AccountID?
    /// The password of the account.
    package var password: StoredPassword?
    package var sessions = SessionFacts()
    /// The counts of attempts.
    package var throttles: [Throttle] = []
}

extension Collection where Element == ThrottleUse {
    /// Counts an attempt in each; throws the longest wait.
    func counting(_ known: [Throttle], now: Date) throws(AccountsError) -> [StoreWrite] {
        let counts = map { use in (use: use, known: known.first { $0.key == use.key }) }
        let remembered = counts.compactMap { count in
            count.known.flatMap { count.use.remembered($0, now: now) }
                .flatMap { count.use.waits(after: $0) ? $0 : nil }
        }
        if let wait = Throttle.wait(remembered, now: now) { throw .tooManyAttempts(seconds: wait) }
        return counts.map { .putThrottle($0.use.counting($0.known, now: now)) }
    }

    /// Removes the latest attempt from each count.
    func returning(_ known: [Throttle], now: Date) -> [StoreWrite] {
        compactMap { use in
            use.returning(known.first { $0.key == use.key }, now: now).map { .putThrottle($0) }
        }
    }
}

extension AccountCreation {
    /// Decides whether the account is created.
    ///
    /// Strangers can use up the mails to an address: the account is then created without the mail.
    ///
    /// A creation whose result was lost returns the same session again.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the session or the refusal, and the writes.
    package func decision(given facts: PasswordFacts) -> Decision<SignInOutcome> {
        if let account = facts.account, let session = facts.sessions.completedSession {
            return Decision(.success(SignedInSession(session: session, account: account)))
        }
        guard facts.accountOfUsername == nil else { return Decision(.failure(.usernameTaken)) }
        var account = account
        var mailed: [StoreWrite] = []
        if let counts = try? throttles.counting(facts.throttles, now: opening.now) {
            mailed =
                counts
                + [
                    verification.map { .putMailToken($0) },
                    mail?.entry(to: account).map { .enqueue($0) },
                ]
                .compactMap(\.self)
        } else {
            account.pendingEmail = nil
        }
        return opening.decision(
            for: account,
            openedBy: .password,
            isNew: true,
            [.insertAccount(account), .putPassword(password)] + mailed,
            given: facts.sessions
        )
    }
}

extension PasswordAttempt {
    /// Decides whether a password is checked.
    ///
    /// The attempt is counted before the check, which throttles parallel attempts, too. An attempt whose result was
    /// lost is not counted again.
    ///
    /// - Parameters:
    ///   - passwords: the password of each username.
    ///   - known: the counts of attempts.
    ///   - isDone: whether this same attempt was already counted.
    /// - Returns: the passwords to check against or the time to wait, and the writes.
    package func decision(
        given passwords: [StoredPassword?],
        throttles known: [Throttle],
        isDone: Bool
    ) -> Decision<PasswordChallenge> {
        Decision { () throws(AccountsError) in
            let counts = isDone ? [] : try throttles.counting(known, now: now)
            return Decision(
                .success(passwords),
                (counts.isEmpty ? [] : [.remember(idempotencyKey, at: now)]) + counts
            )
        }
    }
}

extension PasswordSignIn {
    /// Decides the sign-in after the password was found right; returns the session or the refusal.
    package func decision(given facts: PasswordFacts) -> Decision<SignInOutcome> {
        if let account = facts.account, let session = facts.sessions.completedSession {
            return Decision(.success(SignedInSession(session: session, account: account)))
        }
        guard let account = facts.account, facts.password?.hash == checked.hash else {
            return Decision(.failure(.credentialsInvalid))
        }
        let rehash = rehashed.map { hash in
            StoreWrite.putPassword(
                StoredPassword(account: account.id, hash: hash, changedAt: checked.changedAt)
            )
        }
        return opening.decision(
            for: account,
            openedBy: .password,
            forgottenThrottles.map { .forgetThrottle($0) }
                + returnedThrottles.returning(facts.throttles, now: opening.now)
                + [rehash].compactMap(\.self),
            given: facts.sessions
        )
    }
}

extension PasswordResetRequest {
    /// Decides which accounts get a mail: those with a password and a deliverable email address; returns the number of
    /// queued emails or the time to wait.
    package func decision(
        given accounts: [Account],
        throttles known: [Throttle],
        isDone: Bool
    ) -> Decision<PasswordResetOutcome> {
        let reachable = accounts.filter { $0.username != nil && $0.emailDeliverable }
        let count = min(links.count, reachable.count)
        if isDone { return Decision(.success(count)) }
        return Decision { () throws(AccountsError) in
            let counts = try throttles.counting(known, now: now)
            let key = StoreWrite.remember(idempotencyKey, at: now)
            return Decision(.success(count), [key] + counts + mailWrites(to: reachable))
        }
    }

    private func mailWrites(to accounts: [Account]) -> [StoreWrite] {
        zip(links, accounts).enumerated().flatMap { part, pair -> [StoreWrite] in
            let (link, account) = pair
            guard let entry = link.mail.entry(to: account), let email = account.email else {
                return []
            }
            let token = MailToken(
                hash: link.hash,
                account: account.id,
                purpose: .passwordReset,
                address: email.text,
                expiresAt: link.expiresAt
            )
            return [.putMailToken(token), .enqueue(entry)]
                + audit.writes(.passwordResetRequested, of: account.id, part: part)
        }
    }
}
