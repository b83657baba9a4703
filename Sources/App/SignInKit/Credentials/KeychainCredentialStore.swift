#if canImport(Security)
    import Foundation
    import Security

    /// Stores records in the keychain of this device (`kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`).
    ///
    /// At the first use after an installation, the store ends the session of an earlier installation, and keeps Apple's
    /// response that the server does not have. In an access group it does so only if all apps share a `marker`, because
    /// other apps may still use the records.
    ///
    /// Source: [Keychain items](https://developer.apple.com/documentation/security/keychain-items)
    public struct KeychainCredentialStore: CredentialStore {
        private let store: any CredentialStore

        /// Creates a store of a keychain service.
        ///
        /// - Parameters:
        ///   - service: the keychain service (`kSecAttrService`), such as the bundle identifier.
        ///   - accessGroup: the access group of several apps; the app's own if nil.
        ///   - marker: a file that the system removes with the app. By default it is in Application Support. With an
        ///     access group there is none by default: pass a file in the container of an app group. On tvOS there is
        ///     none either, because apps can keep no files there.
        public init(service: String, accessGroup: String? = nil, marker: URL? = nil) {
            let owner = accessGroup ?? Bundle.main.bundleIdentifier ?? service
            let items = ProbedCredentialStore(
                base: KeychainItems(service: service, accessGroup: accessGroup),
                owner: owner
            )
            #if os(tvOS)
                let own: URL? = nil
            #else
                let folder = URL.applicationSupportDirectory
                let file = folder.appending(path: "\(service).installation")
                let own = accessGroup == nil ? file : nil
            #endif
            guard let marker = marker ?? own else {
                store = items
                return
            }
            store = InstallationMarkedStore(items, marker: marker, owner: owner)
        }

        /// Reads a record, as ``CredentialStore/read(_:)`` says.
        public func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data? {
            try await store.read(record)
        }

        /// Replaces a record, as ``CredentialStore/write(_:to:)`` says.
        public func write(
            _ data: Data,
            to record: CredentialRecord
        ) async throws(CredentialStoreError) {
            try await store.write(data, to: record)
        }

        /// Removes a record, as ``CredentialStore/remove(_:)`` says.
        public func remove(_ record: CredentialRecord) async throws(CredentialStoreError) {
            try await store.remove(record)
        }
    }

    /// One generic password a record.
    private struct KeychainItems: CredentialStore {
        let service: String
        let accessGroup: String?

        func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data? {
            var query = query(for: record)
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else {
                throw Self.error(status)
            }
            return data
        }

        /// Updates, then adds: if it deleted first and the second step failed, the record would be lost.
        func write(_ data: Data, to record: CredentialRecord) async throws(CredentialStoreError) {
            guard data.count <= CredentialRecord.maximumByteCount else { throw .tooLarge }
            let values: [String: Any] = [kSecValueData as String: data]
            var status = SecItemUpdate(query(for: record) as CFDictionary, values as CFDictionary)
            if status == errSecItemNotFound {
                var item = query(for: record).merging(values) { $1 }
                item[kSecAttrAccessible as String] =
                    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                status = SecItemAdd(item as CFDictionary, nil)
                // Another process of the access group added it meanwhile.
                if status == errSecDuplicateItem {
                    status = SecItemUpdate(
                        query(for: record) as CFDictionary,
                        values as CFDictionary
                    )
                }
            }
            // It exists and is hidden: the device was not unlocked since the restart.
            if status == errSecItemNotFound { throw .locked }
            guard status == errSecSuccess else { throw Self.error(status) }
        }

        func remove(_ record: CredentialRecord) async throws(CredentialStoreError) {
            let status = SecItemDelete(query(for: record) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw Self.error(status)
            }
        }

        /// Service and account together: a deletion without the account would take all records.
        private func query(for record: CredentialRecord) -> [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: record.rawValue,
                kSecUseDataProtectionKeychain as String: true,
            ]
            query[kSecAttrAccessGroup as String] = accessGroup
            return query
        }

        private static func error(_ status: OSStatus) -> CredentialStoreError {
            switch status {
            case errSecInteractionNotAllowed: .locked
            case errSecMissingEntitlement:
                .failed(
                    "the app is not signed with a team, so it has no keychain (-34018): pass a FileCredentialStore in debug builds"
                )
            default: .failed("the keychain answered \(status)")
            }
        }
    }
#endif
