import Foundation

/// The facts that decide a sign-in.
package struct SignInFacts: Hashable, Sendable {
    /// Whether the identity token was already used.
    package var isTokenUsed = false
    /// Whether the nonce was already used.
    package var isNonceUsed = false
    /// When the user's consent last ended, as far as it is remembered: by Apple's clock, or by the server's clock after
    /// a deletion or an unlinking.
    package var consentEndedAt: Date?
    /// The user's account.
    package var account: Account?
    /// The name from an earlier sign-in that was not completed.
    package var pendingName: AccountName?
    /// An account with a password and the same verified email address.
    package var emailOwner: AccountID?
    package var sessions = SessionFacts()
    /// Queued revocations of the user's earlier account.
    package var queuedRevocations: [OutboxEntry] = []

    package static let empty = SignInFacts()
}

extension SignInAttempt {
    /// Decides whether a sign-in may continue, and stores the name before the code is exchanged; returns the refusal,
    /// or nil.
    package func decision(given facts: SignInFacts) -> Decision<SignInRefusal?> {
        if let refusal = refusal(given: facts) { return Decision(refusal) }
        return Decision(newcomerRefusal(given: facts), nameWrites(given: facts))
    }

    /// Stores the name for the completion of the sign-in, or for linking to another account.
    fileprivate func nameWrites(given facts: SignInFacts) -> [StoreWrite] {
        guard let name, facts.account?.name == nil else { return [] }
        return [.keepName(name, of: person, at: now)]
    }

    /// Refuses a new account when an account has the email address: it gets neither that account nor a second one.
    fileprivate func newcomerRefusal(given facts: SignInFacts) -> SignInRefusal? {
        facts.account == nil ? facts.emailOwner.map { .accountExists($0) } : nil
    }

    func refusal(given facts: SignInFacts) -> SignInRefusal? {
        if facts.isTokenUsed { return .tokenReplayed }
        if let end = facts.consentEndedAt, end >= issuedAt.endOfSecond { return .consentRevoked }
        if facts.isNonceUsed { return .nonceUsed }
        if let requiredAccount, facts.account?.id != requiredAccount { return .otherAccount }
        return nil
    }
}

extension SignInCompletion {
    /// Decides the result of a verified sign-in: account, name, email address, refresh token and session.
    ///
    /// A completion whose result was lost returns the same session again.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the session or the refusal, and the writes.
    package func decision(given facts: SignInFacts) -> Decision<SignInOutcome> {
        if let session = facts.sessions.completedSession, let account = facts.account {
            return signedIn(session, account)
        }
        if isRepetition { return repetition(given: facts) }
        let attempt = apple.attempt
        if let refusal = attempt.refusal(given: facts) { return Decision(.refused(refusal)) }
        if let refusal = attempt.newcomerRefusal(given: facts) {
            return Decision(.refused(refusal), attempt.nameWrites(given: facts))
        }
        let account = apple.account(
            facts.account ?? Account(id: newAccountID, createdAt: attempt.now),
            given: facts
        )
        var writes: [StoreWrite] = []
        if facts.account == nil {
            writes.append(.insertAccount(account))
        } else if account != facts.account {
            writes.append(.updateAccount(account))
        }
        writes += apple.writes(to: account.id, given: facts)
        let session = opening.session(of: account.id, openedBy: .apple)
        writes += opening.writes(
            session,
            of: account,
            isNew: facts.account == nil,
            given: facts.sessions
        )
        return signedIn(session, account, writes)
    }

    /// Seconds for which a sign-in may be repeated.
    package static let repetitionMemory: TimeInterval = 60

    /// Replaces the session of the sign-in, because the browser posted the callback twice and dropped the first
    /// response.
    private func repetition(given facts: SignInFacts) -> Decision<SignInOutcome> {
        guard let first = facts.sessions.previousSession, let account = facts.account,
            first.accountID == account.id,
            abs(opening.now.timeIntervalSince(first.createdAt)) <= Self.repetitionMemory
        else { return Decision(.refused(.tokenReplayed)) }
        let session = opening.session(of: account.id, openedBy: .apple)
        let writes = opening.writes(session, of: account, isNew: false, given: facts.sessions)
        return signedIn(session, account, writes)
    }

    private func signedIn(
        _ session: Session,
        _ account: Account,
        _ writes: [StoreWrite] = []
    ) -> Decision<SignInOutcome> {
        Decision(
            .signedIn(
                SignedInSession(session: session, account: account),
                isNewAccount: account.id == newAccountID
            ),
            writes
        )
    }
}

extension RedeemedSignIn {
    /// The account after the sign-in.
    func account(_ before: Account, given facts: SignInFacts) -> Account {
        var account = before
        account.name = account.name ?? attempt.name ?? facts.pendingName
        // An Apple Account may have another address in each app: it is as old as the former one, but not older than the
        // link, because an intruder may have linked her Apple Account.
        var since = attempt.now
        if let apple = before.apple, apple.person == attempt.person, let former = before.emailSince
        {
            since = max(former, apple.linkedAt)
        }
        account.follow(email, at: since)
        account.agree(attempt, clientID: clientID, givesToken: !refreshTokens(given: facts).isEmpty)
        return account
    }

    /// The writes of the sign-in other than the account itself.
    func writes(to account: AccountID, given facts: SignInFacts) -> [StoreWrite] {
        (facts.pendingName == nil ? [] : [.forgetName(of: attempt.person)])
            + refreshTokenWrites(of: account, given: facts)
            + singleUses
    }

    /// Keeps one refresh token for each client, because revoking the latest also revokes the earlier ones' consent.
    ///
    /// A queued revocation would end the consent that the user just gave. Its token is still valid and moves to the new
    /// account, whose deletion then revokes it. A revocation that is being sent at this moment cannot be stopped.
    private func refreshTokens(given facts: SignInFacts) -> [RefreshToken] {
        let queued = facts.queuedRevocations.compactMap(\.task.refreshToken)
        return queued.filter { $0.clientID != refreshToken?.clientID }
            + [refreshToken].compactMap(\.self)
    }

    private func refreshTokenWrites(
        of account: AccountID,
        given facts: SignInFacts
    ) -> [StoreWrite] {
        let superseded = facts.queuedRevocations.map(\.id)
        return refreshTokens(given: facts).map { .putRefreshToken($0, of: account) }
            + (superseded.isEmpty ? [] : [.removeEntries(superseded)])
    }

    private var singleUses: [StoreWrite] {
        let token = StoreWrite.useOnce(attempt.tokenHash, rememberedUntil: tokenRememberedUntil)
        guard let nonce = attempt.nonce else { return [token] }
        return [token, .useOnce(nonce.hash, rememberedUntil: nonce.rememberedUntil)]
    }
}

extension Date {
    /// The end of this second: identity tokens have times in seconds, and within the same second the token counts.
    fileprivate var endOfSecond: Date {
        Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down) + 1)
    }
}
