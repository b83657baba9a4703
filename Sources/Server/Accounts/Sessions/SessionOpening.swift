import Foundation

/// A session that a sign-in creates.
///
/// The caller creates its random identifiers, and can repeat the call when the result was lost.
package struct SessionOpening: Hashable, Sendable {
    package let newSession: NewSession
    /// The client's previous session, which ends.
    package let previousTokenHash: SecretHash?
    /// The maximum number of sessions of the account.
    package let maximumSessionCount: Int
    /// The mail to the user when the account has no session of this device.
    package var mail: QueuedMail?
    /// The context of the audit log entry.
    package var audit: AuditContext?
    package let now: Date
}

/// The values of a session that is being created.
package struct NewSession: Hashable, Sendable {
    /// The session's public identifier.
    package let id: SessionID
    package let tokenHash: SecretHash
    /// The device name that the client sent.
    package let device: String
    /// When the session expires without further use.
    package let expiresAt: Date
}

/// The facts about an account's sessions that decide the creation of another one.
package struct SessionFacts: Hashable, Sendable {
    /// The session that this same opening already created.
    package var completedSession: Session?
    /// The client's previous session.
    package var previousSession: Session?
    /// The active sessions beyond the maximum, which are the ones unused for longest.
    package var surplusSessions: [SessionID] = []
    /// Whether the account has a session of the same device.
    package var isDeviceKnown = false
}

extension SessionOpening {
    private func session(
        of account: AccountID,
        openedBy method: SignInMethod,
        signedInAt: Date?
    ) -> Session {
        Session(
            id: newSession.id,
            accountID: account,
            device: newSession.device,
            signInMethod: method,
            createdAt: now,
            signedInAt: signedInAt ?? now,
            lastUsedAt: now,
            expiresAt: newSession.expiresAt
        )
    }

    /// Creates the session of an account: replaced sessions end, and the user gets a mail about a new device.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - method: the sign-in method.
    ///   - signedInAt: when the user authenticated; nil for the time of this sign-in.
    ///   - isNew: whether the sign-in created the account.
    ///   - writes: the other writes of the sign-in, which come first.
    ///   - facts: the facts about the account's sessions.
    /// - Returns: the session, and all writes.
    func decision(
        for account: Account,
        openedBy method: SignInMethod,
        signedInAt: Date? = nil,
        isNew: Bool = false,
        _ writes: [StoreWrite] = [],
        given facts: SessionFacts
    ) -> Decision<SignInOutcome> {
        let session = session(of: account.id, openedBy: method, signedInAt: signedInAt)
        let ending = Set(facts.surplusSessions + [facts.previousSession?.id].compactMap(\.self))
        let isToldOf = !isNew && !facts.isDeviceKnown
        let entry = isToldOf ? mail?.entry(to: account) : nil
        let action = isNew ? AuditAction.accountCreated : .signIn
        return Decision(
            .success(SignedInSession(session: session, account: account)),
            writes + ending.map { .removeSession($0) }
                + [.insertSession(session, tokenHash: newSession.tokenHash)]
                + [entry.map { .enqueue($0) }].compactMap(\.self)
                + audit.writes(action, of: account.id, session: session.id)
        )
    }
}
