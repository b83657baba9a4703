import Accounts
import Foundation
import SignInWithApple

extension MailOrder {
    /// The entry that a rule makes of the order for an account that mail reaches.
    func entry(
        id: OutboxID,
        account: AccountID,
        sealedBy sealer: TokenSealer
    ) throws -> OutboxEntry {
        let account = Account(
            id: account,
            email: EmailAddress(text: "maya@example.com", isVerified: true, isPrivateRelay: false),
            createdAt: occurredAt
        )
        guard let entry = try mail(id: id, sealedBy: sealer).entry(to: account) else {
            throw MailFailure(
                "unreachable",
                isRetryable: false,
                hint: "no mail reaches the account"
            )
        }
        return entry
    }
}
