import Foundation

/// The secret in a mail's link, as a store keeps it: by its hash.
package struct MailToken: Hashable, Sendable {
    /// What following the link does.
    package enum Purpose: String, CaseIterable, Hashable, Sendable {
        /// Proves that the address is the person's.
        case verification
        /// Sets another password.
        case passwordReset = "password_reset"
        /// Gives the account back the address that another one replaced, with another password.
        case emailRestoration = "email_restoration"
    }

    package let hash: SecretHash
    /// Whose link it is.
    package let account: AccountID
    /// What following it does.
    package let purpose: Purpose
    /// The address the mail went to.
    package let address: String
    /// Until when it may be followed.
    package let expiresAt: Date

    package init(
        hash: SecretHash,
        account: AccountID,
        purpose: Purpose,
        address: String,
        expiresAt: Date
    ) {
        self.hash = hash
        self.account = account
        self.purpose = purpose
        self.address = address
        self.expiresAt = expiresAt.inWholeMicroseconds
    }
}
