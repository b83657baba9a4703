import Foundation

/// A session that a sign-in is about to open; its random names are made by the caller, so that it can be
/// carried out again when the answer was lost.
package struct SessionOpening: Hashable, Sendable {
    package let newSession: NewSession
    /// The session that the same client had; it ends.
    package let previousTokenHash: SecretHash?
    /// How many sessions the account may have.
    package let maximumSessionCount: Int
    /// What the account's owner is told when no session of theirs was opened on this device before.
    package let notice: MailNotice?
    /// Who asks and in which way, for the audit log.
    package var audit: AuditContext?
    package let now: Date

    package init(
        newSession: NewSession,
        previousTokenHash: SecretHash?,
        maximumSessionCount: Int,
        notice: MailNotice? = nil,
        now: Date
    ) {
        self.newSession = newSession
        self.previousTokenHash = previousTokenHash
        self.maximumSessionCount = maximumSessionCount
        self.notice = notice
        self.now = now.inWholeMicroseconds
    }
}

/// What a store knows of an account's sessions when another one is about to open.
package struct SessionFacts: Hashable, Sendable {
    /// The session that this very opening has made already.
    package var completedSession: Session?
    /// The session that the same client had.
    package var previousSession: Session?
    /// The account's live sessions that have no place beside a new one, the least used of all.
    package var surplusSessions: [SessionID]
    /// Whether the account has a session of the same device.
    package var isDeviceKnown: Bool

    package init(
        completedSession: Session? = nil,
        previousSession: Session? = nil,
        surplusSessions: [SessionID] = [],
        isDeviceKnown: Bool = false
    ) {
        self.completedSession = completedSession
        self.previousSession = previousSession
        self.surplusSessions = surplusSessions
        self.isDeviceKnown = isDeviceKnown
    }
}

extension SessionOpening {
    /// The session of an account; signed in now, unless the proof of that is older.
    func session(
        of account: AccountID,
        openedBy method: SignInMethod,
        signedInAt: Date? = nil
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

    /// What opening the session writes: others make room, and the owner hears of a new device.
    func writes(
        _ session: Session,
        of account: Account,
        isNew: Bool,
        given facts: SessionFacts
    ) -> [StoreWrite] {
        let ending = Set(facts.surplusSessions + [facts.previousSession?.id].compactMap(\.self))
        let isToldOf = !isNew && !facts.isDeviceKnown
        let entry = isToldOf ? notice?.entry(to: account) : nil
        return ending.map { .removeSession($0) }
            + [.insertSession(session, tokenHash: newSession.tokenHash)]
            + [entry.map { .enqueue($0) }].compactMap(\.self)
            + audit.writes(isNew ? .accountCreated : .signIn, of: account.id, session: session.id)
    }
}
