import Foundation
import SignInWithApple

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
}

extension SignInCheck {
    /// Decides whether a sign-in may continue, and stores the name before the code is exchanged; returns the refusal,
    /// or nil.
    package func decision(given facts: SignInFacts) -> Decision<AccountsError?> {
        if let refusal = refusal(given: facts) { return Decision(refusal) }
        return Decision(newcomerRefusal(given: facts), nameWrites(given: facts))
    }

    /// Stores the name for the completion of the sign-in, or for linking to another account.
    fileprivate func nameWrites(given facts: SignInFacts) -> [StoreWrite] {
        guard let name, facts.account?.name == nil else { return [] }
        return [.keepName(name, of: person, at: now)]
    }

    /// Refuses a new account when an account has the email address: it gets neither that account nor a second one.
    fileprivate func newcomerRefusal(given facts: SignInFacts) -> AccountsError? {
        facts.account == nil ? facts.emailOwner.map { .accountExists($0) } : nil
    }

    func refusal(given facts: SignInFacts) -> AccountsError? {
        if facts.isTokenUsed { return .tokenReplayed }
        if let end = facts.consentEndedAt, end >= issuedAt.endOfSecond { return .consentRevoked }
        if facts.isNonceUsed { return .nonceUsed }
        if let requiredAccount, facts.account?.id != requiredAccount {
            return .appleAccountMismatch
        }
        return nil
    }
}

extension SignInCommit {
    /// Decides the result of a verified sign-in: account, name, email address, refresh token and session.
    ///
    /// A commit whose result was lost returns the same session again.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the session or the refusal, and the writes.
    package func decision(given facts: SignInFacts) -> Decision<SignInOutcome> {
        if let session = facts.sessions.completedSession, let account = facts.account {
            return Decision(.success(SignedInSession(session: session, account: account)))
        }
        if isRepetition { return repetition(given: facts) }
        if let refusal = check.refusal(given: facts) { return Decision(.failure(refusal)) }
        if let refusal = check.newcomerRefusal(given: facts) {
            return Decision(.failure(refusal), check.nameWrites(given: facts))
        }
        let account = check.account(
            facts.account ?? Account(id: newAccountID, createdAt: opening.now),
            refreshToken,
            at: opening.now,
            given: facts
        )
        var writes: [StoreWrite] = []
        if facts.account == nil {
            writes.append(.insertAccount(account))
        } else if account != facts.account {
            writes.append(.updateAccount(account))
        }
        writes += check.writes(to: account.id, refreshToken, given: facts)
        return opening.decision(
            for: account,
            openedBy: .apple,
            isNew: facts.account == nil,
            writes,
            given: facts.sessions
        )
    }

    /// Seconds for which a sign-in may be repeated.
    package static let repetitionMemory: TimeInterval = 60

    /// Replaces the session of the sign-in, because the browser posted the callback twice and dropped the first
    /// response.
    private func repetition(given facts: SignInFacts) -> Decision<SignInOutcome> {
        guard let first = facts.sessions.previousSession, let account = facts.account,
            first.accountID == account.id,
            abs(opening.now.timeIntervalSince(first.createdAt)) <= Self.repetitionMemory
        else { return Decision(.failure(.tokenReplayed)) }
        return opening.decision(for: account, openedBy: .apple, given: facts.sessions)
    }
}

extension SignInCheck {
    /// The account after the sign-in.
    func account(
        _ before: Account,
        _ refreshToken: RefreshToken?,
        at now: Date,
        given facts: SignInFacts
    ) -> Account {
        var account = before
        account.name = account.name ?? name ?? facts.pendingName
        // Apple may report another address for each app. The address counts as old as the former one, but not older than
        // the link, because an intruder may have linked their own Apple Account.
        var since = now
        if let apple = before.apple, apple.person == person, let former = before.emailSince {
            since = max(former, apple.linkedAt)
        }
        account.adoptAppleEmail(email, at: since)
        let givesToken = !refreshTokens(with: refreshToken, given: facts).isEmpty
        account.recordConsent(self, at: now, givesToken: givesToken)
        return account
    }

    /// The writes of the sign-in other than the account itself.
    func writes(
        to account: AccountID,
        _ refreshToken: RefreshToken?,
        given facts: SignInFacts
    ) -> [StoreWrite] {
        let superseded = facts.queuedRevocations.map(\.id)
        let tokens = refreshTokens(with: refreshToken, given: facts)
        return (facts.pendingName == nil ? [] : [.forgetName(of: person)])
            + tokens.map { .putRefreshToken($0, of: account) }
            + (superseded.isEmpty ? [] : [.removeEntries(superseded)])
            + [.useOnce(identityTokenHash, rememberedUntil: identityTokenRememberedUntil)]
            + (nonce.map { [.useOnce($0.hash, rememberedUntil: $0.rememberedUntil)] } ?? [])
    }

    /// Keeps one refresh token for each client, because revoking the latest also revokes the earlier ones' consent.
    ///
    /// A queued revocation would end the consent that the user just gave. Its token is still valid and moves to the new
    /// account, whose deletion then revokes it. A revocation that is being sent at this moment cannot be stopped.
    private func refreshTokens(
        with refreshToken: RefreshToken?,
        given facts: SignInFacts
    ) -> [RefreshToken] {
        let queued = facts.queuedRevocations.compactMap(\.task.refreshToken)
        return queued.filter { $0.clientID != refreshToken?.clientID }
            + [refreshToken].compactMap(\.self)
    }
}
