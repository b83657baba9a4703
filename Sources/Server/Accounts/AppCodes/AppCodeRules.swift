import Foundation

/// The facts that decide whether a code is issued or exchanged.
package struct AppCodeFacts: Hashable, Sendable {
    /// The code, perhaps expired; nil when there is no such code.
    package var code: AppCode?
    /// The code's account, or that of the session that this same exchange created.
    package var account: Account?
    /// The browser session that confirmed, perhaps expired.
    package var confirmingSession: Session?
    /// The number of unused codes of the account.
    package var waitingCount = 0
    package var sessions = SessionFacts()
    /// The counts of failed attempts.
    package var throttles: [Throttle] = []
}

extension AppCodeIssue {
    /// Decides whether the code is stored: only an active session of the account can confirm.
    package func decision(given facts: AppCodeFacts) -> Decision<Bool> {
        guard let session = facts.confirmingSession, session.id == code.session,
            session.accountID == code.account, session.expiresAt > now
        else { return Decision(false) }
        let room: [StoreWrite] =
            facts.waitingCount >= maximumCount ? [.removeAppCodes(of: code.account)] : []
        return Decision(true, room + [.putAppCode(code)])
    }
}

extension AppCodeRedemption {
    /// Decides the exchange of a code.
    ///
    /// The code is deleted at its first attempt. The new session takes the sign-in time and method of the browser: a
    /// code must not turn an old sign-in into a recent one, and the session must not outlive its sign-in method.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the session or the refusal, and the writes.
    package func decision(given facts: AppCodeFacts) -> Decision<SignInOutcome> {
        if let account = facts.account, let session = facts.sessions.completedSession,
            session.accountID == account.id
        {
            return Decision(.success(SignedInSession(session: session, account: account)))
        }
        return Decision { () throws(AccountsError) in
            let counts = try throttles.counting(facts.throttles, now: opening.now)
            let used: [StoreWrite] = facts.code == nil ? [] : [.removeAppCode(hash)]
            guard let account = facts.account, let confirming = facts.confirmingSession,
                refusal(given: facts) == nil
            else {
                let refusal = refusal(given: facts) ?? .unknown
                return Decision(.failure(.appCodeInvalid(refusal)), used + counts)
            }
            return opening.decision(
                for: account,
                openedBy: confirming.signInMethod,
                signedInAt: confirming.signedInAt,
                used,
                given: facts.sessions
            )
        }
    }

    private func refusal(given facts: AppCodeFacts) -> AppCodeRefusal? {
        guard let code = facts.code, code.hash == hash, let account = facts.account,
            account.id == code.account
        else { return .unknown }
        guard code.expiresAt > opening.now else { return .expired }
        guard code.binding.clientID == binding.clientID else { return .otherClient }
        guard code.binding.redirectURI == binding.redirectURI else { return .otherRedirectURI }
        guard code.binding.challenge == binding.challenge else { return .wrongVerifier }
        guard let session = facts.confirmingSession, session.id == code.session,
            session.accountID == account.id, session.expiresAt > opening.now
        else { return .sessionEnded }
        return nil
    }
}
