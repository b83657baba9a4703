import Foundation

/// A mail encrypted before a rule decides whether it is sent, because the rules have no key.
package struct QueuedMail: Hashable, Sendable {
    /// The identifier of its outbox entry.
    package let id: OutboxID
    /// The encrypted order.
    package let mail: SealedMail
    /// Whether the order has an email address; otherwise the mail goes to the account's, if it is deliverable.
    package let isAddressed: Bool
    package let createdAt: Date

    /// The outbox entry for the mail; nil when mail cannot reach the account.
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
