import Foundation

/// A mail that is sealed before anybody knows whether it will be sent, so that the rules need no key.
package struct MailNotice: Hashable, Sendable {
    /// The name of its entry in the outbox.
    package let id: OutboxID
    /// The sealed order.
    package let mail: SealedMail
    /// Whether the order names its address; else it goes to the account's, if mail arrives there.
    package let isAddressed: Bool
    /// When it was made.
    package let createdAt: Date

    package init(id: OutboxID, mail: SealedMail, isAddressed: Bool, createdAt: Date) {
        self.id = id
        self.mail = mail
        self.isAddressed = isAddressed
        self.createdAt = createdAt.inWholeMicroseconds
    }

    /// The entry that has it sent; nil when no mail reaches the account.
    package func entry(to account: Account) -> OutboxEntry? {
        guard isAddressed || account.emailDeliverable else { return nil }
        return OutboxEntry(
            id: id,
            task: .mail(isAddressed ? mail : mail.addressed(to: account.id)),
            person: account.id.mailHash,
            createdAt: createdAt
        )
    }
}
