/// The outbox entries of an administrator's deletion of an account.
package struct AdministratorDeletion: Hashable, Sendable {
    /// Whether the user gets a last mail.
    package enum LastMail: String, CaseIterable, Hashable, Sendable {
        /// The mail is in the outbox.
        case queued
        /// The account has no email address that mail can reach.
        case noAddress
        /// This process cannot queue mail.
        case unavailable
    }

    /// The number of queued revocations.
    package let revocationCount: Int
    /// Whether the user gets a last mail.
    package let lastMail: LastMail
}
