/// What came of a deletion.
public enum AccountDeletionOutcome: Hashable, Sendable {
    /// The account is gone; so many revocations wait in the outbox.
    case deleted(revocationCount: Int)
    /// The session has ended, or never belonged to the account; nothing has changed.
    case sessionEnded
    /// The session's sign-in is too old; nothing has changed.
    case signInTooOld
}
