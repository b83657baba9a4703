import Foundation

/// Keeps a few small records where nobody but the app reads them.
///
/// Live forms: `KeychainCredentialStore`, ``FileCredentialStore``, `SecretServiceCredentialStore`; for previews and
/// tests ``MemoryCredentialStore``.
public protocol CredentialStore: Sendable {
    /// Reads a record.
    ///
    /// - Parameter record: which one.
    /// - Returns: what was written last; nil when there is nothing.
    /// - Throws: ``CredentialStoreError``.
    func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data?

    /// Replaces a record as a whole, so that a crash leaves the old or the new one.
    ///
    /// - Parameters:
    ///   - data: what to keep, at most ``CredentialRecord/maximumByteCount`` bytes.
    ///   - record: which one.
    /// - Throws: ``CredentialStoreError``.
    func write(_ data: Data, to record: CredentialRecord) async throws(CredentialStoreError)

    /// Removes a record; removing nothing is no mistake.
    ///
    /// - Parameter record: which one.
    /// - Throws: ``CredentialStoreError``.
    func remove(_ record: CredentialRecord) async throws(CredentialStoreError)
}

/// What a ``CredentialStore`` keeps.
public enum CredentialRecord: String, CaseIterable, Hashable, Sendable {
    /// The session with the server, and those that the server still has to end.
    case session
    /// The person's identifier at Apple, for the state of the credential.
    case userIdentifier
    /// Apple's answers that the server has not confirmed.
    case pendingRegistration
    /// The account as the server told it last.
    case profile
    /// Which app wrote the others.
    case installation

    /// The most bytes of a record.
    public static let maximumByteCount = 64 * 1024
}

/// Why a record can't be read or written.
public enum CredentialStoreError: Error, Hashable, Sendable {
    /// The device is locked; try again when it is not.
    case locked
    /// The record has more bytes than ``CredentialRecord/maximumByteCount``.
    case tooLarge
    /// Somebody else than the owner could have read or written it: not used.
    case unsafe(String)
    /// The store failed, and how.
    case failed(String)
}

extension SignInKitError {
    /// What the store said, for whoever called.
    init(_ error: CredentialStoreError) {
        switch error {
        case .locked: self.init(.credentialsLocked)
        case .tooLarge: self.init(.credentialsUnavailable, hint: "a record is too large")
        case .unsafe(let hint), .failed(let hint): self.init(.credentialsUnavailable, hint: hint)
        }
    }
}
