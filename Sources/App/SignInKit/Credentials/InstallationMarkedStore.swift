import Foundation

/// Ends what an earlier installation left in a store that outlives the app, such as the keychain.
///
/// The session is ended at the server. A response of Apple that the server does not have stays, because Apple sends the
/// name once.
///
/// A marker file in the app's own folder, which is removed with the app, identifies the installation. Records of another
/// app or an extension in a shared access group are not changed.
actor InstallationMarkedStore: CredentialStore {
    private let base: any CredentialStore
    private let marker: URL
    /// The owner of the records: an app, or an access group whose apps share the marker.
    private let owner: String
    private var checking: Task<CredentialStoreError?, Never>?
    private var isChecked = false

    init(_ base: any CredentialStore, marker: URL, owner: String) {
        self.base = base
        self.marker = marker
        self.owner = owner
    }

    func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data? {
        try await check()
        return try await base.read(record)
    }

    func write(_ data: Data, to record: CredentialRecord) async throws(CredentialStoreError) {
        try await check()
        try await base.write(data, to: record)
    }

    func remove(_ record: CredentialRecord) async throws(CredentialStoreError) {
        try await check()
        try await base.remove(record)
    }

    /// Checks the marker once; concurrent calls wait, and a failed check is repeated.
    private func check() async throws(CredentialStoreError) {
        guard !isChecked else { return }
        let task = checking ?? Task { await forgetLeftovers() }
        checking = task
        let failure = await task.value
        checking = nil
        if let failure { throw failure }
        isChecked = true
    }

    private func forgetLeftovers() async -> CredentialStoreError? {
        let path = marker.path(percentEncoded: false)
        guard !FileManager.default.fileExists(atPath: path) else { return nil }
        do throws(CredentialStoreError) {
            if try await !isAnothers(base.read(.installation)) {
                let session = try await base.read(.session)
                for record in [CredentialRecord.userIdentifier, .profile, .session] {
                    try await base.remove(record)
                }
                if let ended = session.flatMap(Self.ended) {
                    try await base.write(ended, to: .session)
                }
                try await base.write(Self.installation(of: owner), to: .installation)
            }
            try mark(Data(owner.utf8))
            return nil
        } catch {
            return error
        }
    }

    /// The record in which the session is to be ended at the server; nil if there is none.
    private static func ended(_ data: Data) -> Data? {
        guard var record = try? JSONDecoder().decode(SessionRecord.self, from: data) else {
            return nil
        }
        if let token = record.current?.token { record.end(token) }
        record.skipsAsking = false
        return record.ended.isEmpty ? nil : try? JSONEncoder().encode(record)
    }

    private static let ownerPrefix = "owner "

    /// The content of the record that names the owner.
    static func installation(of owner: String) -> Data { Data((ownerPrefix + owner).utf8) }

    /// A record without an owner was written before records had one, by this app.
    private func isAnothers(_ record: Data?) -> Bool {
        guard let record else { return false }
        let text = String(decoding: record, as: UTF8.self)
        return text.hasPrefix(Self.ownerPrefix) && text != Self.ownerPrefix + owner
    }

    private func mark(_ installation: Data) throws(CredentialStoreError) {
        do {
            let folder = marker.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try installation.write(to: marker, options: .atomic)
        } catch {
            throw .failed("the marker of the installation can't be written")
        }
    }
}
