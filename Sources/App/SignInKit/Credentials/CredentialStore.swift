import Foundation

/// A store for the client's records, readable by this app only.
///
/// Implementations: `KeychainCredentialStore`, ``FileCredentialStore``, `SecretServiceCredentialStore`; for previews
/// and tests ``MemoryCredentialStore``.
public protocol CredentialStore: Sendable {
    /// Reads a record.
    ///
    /// - Parameter record: the record to read.
    /// - Returns: the stored data; nil if there is none.
    /// - Throws: ``CredentialStoreError``.
    func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data?

    /// Replaces a record atomically.
    ///
    /// - Parameters:
    ///   - data: the data to store, at most ``CredentialRecord/maximumByteCount`` bytes.
    ///   - record: the record to replace.
    /// - Throws: ``CredentialStoreError``.
    func write(_ data: Data, to record: CredentialRecord) async throws(CredentialStoreError)

    /// Removes a record. It does nothing if there is no record.
    ///
    /// - Parameter record: the record to remove.
    /// - Throws: ``CredentialStoreError``.
    func remove(_ record: CredentialRecord) async throws(CredentialStoreError)
}

/// The records of a ``CredentialStore``.
public enum CredentialRecord: String, CaseIterable, Hashable, Sendable {
    /// The current session, and sessions to be ended on the server.
    case session
    /// The user's identifier at Apple, for the state of the credential.
    case userIdentifier
    /// Apple's responses that the server has not confirmed yet.
    case pendingRegistration
    /// The account as last received from the server.
    case profile
    /// The identifier of the app installation that wrote the other records.
    case installation

    /// The maximum size of a record: 65 536 bytes.
    public static let maximumByteCount = 64 * 1024
}

/// The reason why a record cannot be read or written.
public enum CredentialStoreError: Error, Hashable, Sendable {
    /// The device is locked: try again after it is unlocked.
    case locked
    /// The record has more bytes than ``CredentialRecord/maximumByteCount``.
    case tooLarge
    /// The file or folder is accessible to other users. The string names it.
    case unsafe(String)
    /// The store failed. The string describes the failure.
    case failed(String)
}

extension SignInKitError {
    /// Converts the store's error to the client's.
    init(_ error: CredentialStoreError) {
        switch error {
        case .locked: self.init(.credentialsLocked)
        case .tooLarge: self.init(.credentialsUnavailable, hint: "a record is too large")
        case .unsafe(let hint), .failed(let hint): self.init(.credentialsUnavailable, hint: hint)
        }
    }
}
