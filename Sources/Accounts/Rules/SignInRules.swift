import AppleIdentity
import Foundation

/// What a store knows that a sign-in is decided by.
public struct SignInFacts: Hashable, Sendable {
    /// Whether the identity token has been used.
    public var isTokenUsed: Bool
    /// Whether the nonce has been used.
    public var isNonceUsed: Bool
    /// When the person's consent ended last, by Apple's clock, as far as it is remembered.
    public var consentEndedAt: Date?
    /// The person's account.
    public var account: Account?
    /// The name from an earlier sign-in that never ended.
    public var pendingName: String?
    /// The session that this very completion has made already.
    public var completedSession: Session?
    /// The session that the same client had.
    public var previousSession: SessionID?
    /// The account's live sessions that have no place beside a new one, the least used of all.
    public var surplusSessions: [SessionID]
    /// Revocations of the person's earlier account that have not reached Apple yet.
    public var queuedRevocations: [OutboxEntry]

    /// Collects facts.
    public init(
        isTokenUsed: Bool = false,
        isNonceUsed: Bool = false,
        consentEndedAt: Date? = nil,
        account: Account? = nil,
        pendingName: String? = nil,
        completedSession: Session? = nil,
        previousSession: SessionID? = nil,
        surplusSessions: [SessionID] = [],
        queuedRevocations: [OutboxEntry] = []
    ) {
        self.isTokenUsed = isTokenUsed
        self.isNonceUsed = isNonceUsed
        self.consentEndedAt = consentEndedAt
        self.account = account
        self.pendingName = pendingName
        self.completedSession = completedSession
        self.previousSession = previousSession
        self.surplusSessions = surplusSessions
        self.queuedRevocations = queuedRevocations
    }
}

extension SignInAttempt {
    /// Decides whether a sign-in may go on, and keeps the name before the code is spent.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: why the sign-in can't go on, or nil.
    public func decision(given facts: SignInFacts) -> Decision<SignInRefusal?> {
        if let refusal = refusal(given: facts) { return Decision(refusal) }
        guard let name, facts.account?.name == nil else { return Decision(nil) }
        return Decision(nil, [.keepName(name, of: person, at: now)])
    }

    func refusal(given facts: SignInFacts) -> SignInRefusal? {
        if facts.isTokenUsed { return .tokenReplayed }
        if let end = facts.consentEndedAt, end >= issuedAt.endOfSecond { return .consentRevoked }
        return facts.isNonceUsed ? .nonceUsed : nil
    }
}

extension SignInCompletion {
    /// Decides what a verified sign-in leaves behind: account, name, address, refresh token and session.
    ///
    /// A completion that was carried out already, and whose answer was lost, is answered the same again.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the session, or why there is none.
    public func decision(given facts: SignInFacts) -> Decision<SignInOutcome> {
        if let session = facts.completedSession, let account = facts.account {
            return signedIn(session, account)
        }
        if let refusal = attempt.refusal(given: facts) { return Decision(.refused(refusal)) }
        let account = account(given: facts)
        let session = session(of: account.id)
        var writes: [StoreWrite] = []
        if facts.account == nil {
            writes.append(.insertAccount(account))
        } else if account != facts.account {
            writes.append(.updateAccount(account))
        }
        if facts.pendingName != nil { writes.append(.forgetName(of: attempt.person)) }
        writes += refreshTokenWrites(account.id, given: facts) + singleUses
        let ending = Set(facts.surplusSessions + [facts.previousSession].compactMap(\.self))
        writes += ending.map { .removeSession($0) }
        writes.append(.insertSession(session, tokenHash: newSession.tokenHash))
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

    private func account(given facts: SignInFacts) -> Account {
        var account = facts.account ?? Account(id: newAccountID, createdAt: attempt.now)
        account.name = account.name ?? attempt.name ?? facts.pendingName
        account.follow(email)
        account.agree(attempt, clientID: clientID)
        return account
    }

    private func session(of account: AccountID) -> Session {
        Session(
            id: newSession.id,
            accountID: account,
            device: newSession.device,
            createdAt: attempt.now,
            signedInAt: attempt.now,
            lastUsedAt: attempt.now,
            expiresAt: newSession.expiresAt
        )
    }

    /// Keeps one refresh token for each client: revoking the latest ends what the earlier ones gave.
    ///
    /// A revocation still queued would end what the person agreed to just now. Its token is as good as
    /// ever, and becomes the new account's, so that its deletion reaches Apple all the same. One that is on
    /// its way at this very moment can't be called back.
    private func refreshTokenWrites(
        _ account: AccountID,
        given facts: SignInFacts
    ) -> [StoreWrite] {
        let queued = facts.queuedRevocations.compactMap(\.task.refreshToken)
        let tokens = queued.filter { $0.clientID != refreshToken?.clientID } + [refreshToken]
        let superseded = facts.queuedRevocations.map(\.id)
        return tokens.compactMap(\.self).map { .putRefreshToken($0, of: account) }
            + (superseded.isEmpty ? [] : [.removeEntries(superseded)])
    }

    private var singleUses: [StoreWrite] {
        let token = StoreWrite.useOnce(attempt.tokenHash, rememberedUntil: tokenRememberedUntil)
        guard let nonce = attempt.nonce else { return [token] }
        return [token, .useOnce(nonce.hash, rememberedUntil: nonce.rememberedUntil)]
    }
}

extension Account {
    /// Follows a changed address; whether mail arrives at the new one is not known to be in doubt.
    fileprivate mutating func follow(_ address: EmailAddress?) {
        guard let address else { return }
        if address.text != email?.text { isMailForwarded = true }
        email = address
    }

    /// Notes that the person agrees; after an end of consent that ties the account anew.
    fileprivate mutating func agree(_ attempt: SignInAttempt, clientID: ClientID) {
        guard var link = apple else {
            apple = AppleLink(
                person: attempt.person,
                clientID: clientID,
                linkedAt: attempt.now,
                consentedAt: attempt.issuedAt
            )
            return
        }
        link.clientID = clientID
        link.consentedAt = max(link.consentedAt, attempt.issuedAt)
        if link.revokedAt != nil {
            link.revokedAt = nil
            link.linkedAt = attempt.now
            // Apple's page has asked anew whether and where mail is to be forwarded, unless Apple told of a
            // later change already.
            if mailForwardingChangedAt.map({ $0 <= attempt.issuedAt }) ?? true {
                isMailForwarded = true
                mailForwardingChangedAt = attempt.issuedAt
            }
        }
        apple = link
    }
}

extension Date {
    /// Identity tokens count whole seconds: within the same one the token is taken as the later.
    fileprivate var endOfSecond: Date {
        Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down) + 1)
    }
}
