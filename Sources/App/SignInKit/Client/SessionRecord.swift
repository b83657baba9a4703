import AppleIdentity
import Foundation

/// The stored data of sessions.
struct SessionRecord: Hashable, Sendable, Codable {
    /// The session that the app uses.
    struct Session: Hashable, Sendable, Codable {
        /// The method of the user's last sign-in.
        enum Way: String, Hashable, Sendable, Codable { case apple, password, browser }

        let token: String
        let way: Way
        /// The time of the last check that the user uses the app, by this device's clock.
        var confirmedAt: Date
        /// Seconds for which the server keeps the session without use; nil if unknown.
        var idleTime: TimeInterval?
        /// When the server last answered with the account, by this device's clock.
        var usedAt: Date?
    }

    var current: Session?
    /// Tokens of sessions that ended on the device and must still end on the server.
    var ended: [String] = []
    /// Whether the next launch asks for no existing credential, because the user has just declined.
    var skipsAsking = false

    /// Ends the session on the device, and later on the server.
    mutating func end(_ token: String) {
        if current?.token == token { current = nil }
        ended.removeAll { $0 == token }
        ended.append(token)
        ended = ended.suffix(SignInLimits.maximumEndedSessionCount)
    }
}

/// Reads and writes records as the values that they are.
struct Records: Sendable {
    let store: any CredentialStore
    let log: KitLog

    /// Reads a record; one that can't be understood counts as missing.
    func load<Value: Decodable>(
        _ record: CredentialRecord,
        as type: Value.Type = Value.self
    ) async throws(SignInKitError) -> Value? {
        let data: Data?
        do throws(CredentialStoreError) {
            data = try await store.read(record)
        } catch {
            throw failure(error, "reading", record)
        }
        return data.flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    /// Writes a record; nil removes it.
    func save(
        _ value: (some Encodable)?,
        as record: CredentialRecord
    ) async throws(SignInKitError) {
        do throws(CredentialStoreError) {
            guard let value else { return try await store.remove(record) }
            guard let data = try? JSONEncoder().encode(value) else {
                throw .failed("the record \(record.rawValue) can't be encoded")
            }
            try await store.write(data, to: record)
        } catch {
            throw failure(error, "writing", record)
        }
    }

    private func failure(
        _ error: CredentialStoreError,
        _ doing: String,
        _ record: CredentialRecord
    ) -> SignInKitError {
        log.write("credentials: \(doing) \(record.rawValue) failed: \(error)", .error)
        return SignInKitError(error)
    }
}
