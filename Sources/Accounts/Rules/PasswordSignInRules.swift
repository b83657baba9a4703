import Foundation

/// What a store knows that making an account, or opening one by its password, is decided by.
package struct PasswordFacts: Hashable, Sendable {
    /// The account: of the checked password, or of the new account's identifier.
    package var account: Account?
    package var accountOfUsername: AccountID?
    /// The password of the account, or of the one that has the username.
    package var password: StoredPassword?
    /// The account's sessions.
    package var sessions: SessionFacts
    /// Attempts so far.
    package var throttles: [Throttle]

    package init(
        account: Account? = nil,
        accountOfUsername: AccountID? = nil,
        password: StoredPassword? = nil,
        sessions: SessionFacts = SessionFacts(),
        throttles: [Throttle] = []
    ) {
        self.account = account
        self.accountOfUsername = accountOfUsername
        self.password = password
        self.sessions = sessions
        self.throttles = throttles
    }
}

extension Collection where Element == ThrottleUse {
    /// Counts one more attempt of each, unless one has to wait.
    func counting(_ known: [Throttle], now: Date) -> (wait: Int?, writes: [StoreWrite]) {
        let counts = map { use in (use: use, known: known.first { $0.key == use.key }) }
        let remembered = counts.compactMap { count in
            count.known.flatMap { count.use.remembered($0, now: now) }
                .flatMap { count.use.waits(after: $0) ? $0 : nil }
        }
        if let wait = Throttle.wait(remembered, now: now) { return (wait, []) }
        return (nil, counts.map { .putThrottle($0.use.counting($0.known, now: now)) })
    }

    /// Takes back the latest attempt of each.
    func returning(_ known: [Throttle], now: Date) -> [StoreWrite] {
        compactMap { use in
            use.returning(known.first { $0.key == use.key }, now: now).map { .putThrottle($0) }
        }
    }
}

extension AccountCreation {
    /// Decides whether the account is made.
    ///
    /// A creation that was carried out already, and whose answer was lost, is answered the same again.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the session, or why there is none.
    package func decision(given facts: PasswordFacts) -> Decision<PasswordOutcome> {
        if let account = facts.account, let session = facts.sessions.completedSession {
            return Decision(.signedIn(SignedInSession(session: session, account: account)))
        }
        guard facts.accountOfUsername == nil else { return Decision(.usernameTaken) }
        let writes: [StoreWrite] =
            [.insertAccount(account), .putPassword(password)]
            + [
                verification.map { .putMailToken($0) },
                mail?.entry(to: account).map { .enqueue($0) },
            ]
            .compactMap(\.self)
        let session = opening.session(of: account.id, openedBy: .password)
        return Decision(
            .signedIn(SignedInSession(session: session, account: account)),
            writes + opening.writes(session, of: account, isNew: true, given: facts.sessions)
        )
    }
}

extension PasswordAttempt {
    /// Decides whether a password is looked at.
    ///
    /// The attempt is counted before, so that many at once get no further than one after the other. One that was counted
    /// already, and whose answer was lost, is not counted again.
    ///
    /// - Parameters:
    ///   - facts: what the store knows.
    ///   - isDone: whether this very attempt was counted already.
    /// - Returns: what to check it against, or how long to wait.
    package func decision(given facts: PasswordFacts, isDone: Bool) -> Decision<PasswordChallenge> {
        if isDone { return Decision(.check(facts.password)) }
        let (wait, counts) = throttles.counting(facts.throttles, now: now)
        if let wait { return Decision(.wait(seconds: wait)) }
        guard !counts.isEmpty else { return Decision(.check(facts.password)) }
        let end = now.addingTimeInterval(AccountChange.markMemory)
        return Decision(.check(facts.password), [.useOnce(mark, rememberedUntil: end)] + counts)
    }
}

extension PasswordSignIn {
    /// Decides what a right password opens; returns the session, or why there is none.
    package func decision(given facts: PasswordFacts) -> Decision<PasswordOutcome> {
        guard let account = facts.account else { return Decision(.credentialsInvalid) }
        if let session = facts.sessions.completedSession {
            return Decision(.signedIn(SignedInSession(session: session, account: account)))
        }
        guard facts.password?.hash == checked.hash else { return Decision(.credentialsInvalid) }
        let rehash = rehashed.map { hash in
            StoreWrite.putPassword(
                StoredPassword(account: account.id, hash: hash, changedAt: checked.changedAt)
            )
        }
        let session = opening.session(of: account.id, openedBy: .password)
        return Decision(
            .signedIn(SignedInSession(session: session, account: account)),
            forgottenThrottles.map { .forgetThrottle($0) }
                + returnedThrottles.returning(facts.throttles, now: opening.now)
                + [rehash].compactMap(\.self)
                + opening.writes(session, of: account, isNew: false, given: facts.sessions)
        )
    }
}

extension PasswordResetRequest {
    /// Decides who gets a mail: accounts with a password and an address that was proved; returns how many mails are
    /// queued, or how long to wait.
    package func decision(
        given accounts: [Account],
        throttles known: [Throttle],
        isDone: Bool
    ) -> Decision<PasswordResetOutcome> {
        let reachable = accounts.filter { $0.username != nil && $0.emailDeliverable }
        if isDone { return Decision(.queued(count: min(links.count, reachable.count))) }
        let (wait, counts) = throttles.counting(known, now: now)
        if let wait { return Decision(.wait(seconds: wait)) }
        let writes = zip(links, reachable).enumerated().flatMap { part, pair -> [StoreWrite] in
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
        return Decision(.queued(count: min(links.count, reachable.count)), counts + writes)
    }
}
