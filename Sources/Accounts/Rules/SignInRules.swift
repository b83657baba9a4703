import Foundation

/// What a store knows that a sign-in is decided by.
package struct SignInFacts: Hashable, Sendable {
    /// Whether the identity token has been used.
    package var isTokenUsed: Bool
    /// Whether the nonce has been used.
    package var isNonceUsed: Bool
    /// When the person's consent ended last, by Apple's clock, as far as it is remembered.
    package var consentEndedAt: Date?
    /// The person's account.
    package var account: Account?
    /// The name from an earlier sign-in that never ended.
    package var pendingName: AccountName?
    /// Whether an account with a password has the same address, proved there too.
    package var isEmailTaken: Bool
    /// The account's sessions.
    package var sessions: SessionFacts
    /// Revocations of the person's earlier account that have not reached Apple yet.
    package var queuedRevocations: [OutboxEntry]

    /// Collects facts.
    package init(
        isTokenUsed: Bool = false,
        isNonceUsed: Bool = false,
        consentEndedAt: Date? = nil,
        account: Account? = nil,
        pendingName: AccountName? = nil,
        isEmailTaken: Bool = false,
        sessions: SessionFacts = SessionFacts(),
        queuedRevocations: [OutboxEntry] = []
    ) {
        self.isTokenUsed = isTokenUsed
        self.isNonceUsed = isNonceUsed
        self.consentEndedAt = consentEndedAt
        self.account = account
        self.pendingName = pendingName
        self.isEmailTaken = isEmailTaken
        self.sessions = sessions
        self.queuedRevocations = queuedRevocations
    }
}

extension SignInAttempt {
    /// Decides whether a sign-in may go on, and keeps the name before the code is spent; returns why the sign-in
    /// can't go on, or nil.
    package func decision(given facts: SignInFacts) -> Decision<SignInRefusal?> {
        if let refusal = refusal(given: facts) { return Decision(refusal) }
        return Decision(newcomerRefusal(given: facts), nameWrites(given: facts))
    }

    /// Keeps the name for the sign-in that follows, or for the link to another account.
    fileprivate func nameWrites(given facts: SignInFacts) -> [StoreWrite] {
        guard let name, facts.account?.name == nil else { return [] }
        return [.keepName(name, of: person, at: now)]
    }

    /// An address never takes an account over, and must not make a second one beside it unseen.
    fileprivate func newcomerRefusal(given facts: SignInFacts) -> SignInRefusal? {
        facts.account == nil && facts.isEmailTaken ? .accountExists : nil
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
    /// Decides what a verified sign-in leaves behind: account, name, address, refresh token and session.
    ///
    /// A completion that was carried out already, and whose answer was lost, is answered the same again.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the session, or why there is none.
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

    /// A session in place of the one that the sign-in has opened: its browser posted the callback twice and dropped
    /// the answer that brought the first.
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
    /// The account as the sign-in leaves it.
    func account(_ before: Account, given facts: SignInFacts) -> Account {
        var account = before
        account.name = account.name ?? attempt.name ?? facts.pendingName
        account.follow(email)
        account.agree(attempt, clientID: clientID, givesToken: !refreshTokens(given: facts).isEmpty)
        return account
    }

    /// What the sign-in writes besides the account itself.
    func writes(to account: AccountID, given facts: SignInFacts) -> [StoreWrite] {
        (facts.pendingName == nil ? [] : [.forgetName(of: attempt.person)])
            + refreshTokenWrites(of: account, given: facts)
            + singleUses
    }

    /// Keeps one refresh token for each client: revoking the latest ends what the earlier ones gave.
    ///
    /// A revocation still queued would end what the person agreed to just now. Its token is as good as
    /// ever, and becomes the new account's, so that its deletion reaches Apple all the same. One that is on
    /// its way at this very moment can't be called back.
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
    /// Identity tokens count whole seconds: within the same one the token is taken as the later.
    fileprivate var endOfSecond: Date {
        Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down) + 1)
    }
}
