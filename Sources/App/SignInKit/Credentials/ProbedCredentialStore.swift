import Foundation

/// Tells a missing record from one that the system hides.
///
/// After a restart and before the first unlock, iOS 15 and later may report "not found" for a keychain item that exists
/// ([firebase-ios-sdk#16505](https://github.com/firebase/firebase-ios-sdk/issues/16505)). The record of the installation
/// always exists after the first use. If it is not found either, it is written, which fails while items are hidden.
struct ProbedCredentialStore: CredentialStore {
    let base: any CredentialStore
    /// The owner of the records: an app, or an access group.
    let owner: String

    func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data? {
        if let data = try await base.read(record) { return data }
        guard record != .installation else { return nil }
        if try await base.read(.installation) == nil {
            let installation = InstallationMarkedStore.installation(of: owner)
            try await base.write(installation, to: .installation)
        }
        // The device may have been unlocked since the first read.
        return try await base.read(record)
    }

    func write(_ data: Data, to record: CredentialRecord) async throws(CredentialStoreError) {
        try await base.write(data, to: record)
    }

    func remove(_ record: CredentialRecord) async throws(CredentialStoreError) {
        try await base.remove(record)
    }
}
