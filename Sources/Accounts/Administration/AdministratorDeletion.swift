/// What an administrator's deletion of an account left to be done outside.
package struct AdministratorDeletion: Hashable, Sendable {
    /// Whether the person is told by mail.
    package enum LastMail: String, CaseIterable, Hashable, Sendable {
        /// A mail waits in the outbox.
        case queued
        /// No mail reaches the account.
        case noAddress
        /// The process that deleted can't queue mail.
        case unavailable
    }

    /// How many revocations wait in the outbox.
    package let revocationCount: Int
    /// Whether the person is told by mail.
    package let lastMail: LastMail

    package init(revocationCount: Int, lastMail: LastMail) {
        self.revocationCount = revocationCount
        self.lastMail = lastMail
    }
}
