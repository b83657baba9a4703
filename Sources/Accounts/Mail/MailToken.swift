import Foundation

/// The secret in a mail's link, as a store keeps it: by its hash.
public struct MailToken: Hashable, Sendable {
    /// What following the link does.
    public enum Purpose: String, CaseIterable, Hashable, Sendable {
        /// Proves that the address is the person's.
        case verification
        /// Sets another password.
        case passwordReset = "password_reset"
        /// Gives the account back the address that another one replaced, with another password.
        case emailRestoration = "email_restoration"
    }

    /// The hash of the secret.
    public let hash: SecretHash
    /// Whose link it is.
    public let account: AccountID
    /// What following it does.
    public let purpose: Purpose
    /// The address the mail went to.
    public let address: String
    /// Until when it may be followed.
    public let expiresAt: Date

    /// Describes a link.
    ///
    /// - Parameters:
    ///   - hash: the hash of the secret.
    ///   - account: whose link it is.
    ///   - purpose: what following it does.
    ///   - address: the address the mail went to.
    ///   - expiresAt: until when it may be followed.
    public init(
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
