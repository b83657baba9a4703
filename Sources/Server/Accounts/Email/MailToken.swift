import Foundation

/// The secret in a mail's link, as a store keeps it: as a hash.
package struct MailToken: Hashable, Sendable {
    /// The effect of the link.
    package enum Purpose: String, CaseIterable, Hashable, Sendable {
        /// Verifies the email address.
        case verification
        /// Sets another password.
        case passwordReset = "password_reset"
        /// Undoes a change of the account.
        case changeUndo = "change_undo"
    }

    package internal(set) var hash: SecretHash
    package internal(set) var account: AccountID
    package internal(set) var purpose: Purpose
    /// The email address that the mail went to.
    package internal(set) var address: String
    package internal(set) var expiresAt: Date
    /// What the account had before the change that the link undoes.
    package internal(set) var snapshot: AccountSnapshot?
}
