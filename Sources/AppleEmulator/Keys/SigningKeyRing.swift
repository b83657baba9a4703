import AppleIdentity
import Foundation

/// The keys that Apple publishes; any of them signs.
struct SigningKeyRing {
    /// How long the published keys may be kept by others, in seconds.
    static let cacheSeconds = 300
    /// How many keys that no longer sign stay published; the oldest go first.
    static let maximumRetainedCount = 24

    private(set) var current: [EmulatorSigningKey]
    /// Keys that no longer sign but are still published, newest first.
    private(set) var retained: [EmulatorSigningKey]

    init(_ keys: [EmulatorSigningKey], retaining retained: [EmulatorSigningKey] = []) {
        current = keys
        self.retained = retained
    }

    /// Signs with new keys from here on.
    ///
    /// - Parameters:
    ///   - keys: the keys that sign from here on.
    ///   - keepsOld: whether all keys published before stay published.
    mutating func rotate(to keys: [EmulatorSigningKey], keepsOld: Bool) {
        retained = keepsOld ? Array((current + retained).prefix(Self.maximumRetainedCount)) : []
        current = keys
    }

    /// Takes a new key in the place of the last one, which stays published.
    mutating func renewOne(with key: EmulatorSigningKey) {
        let old = current.popLast().map { [$0] } ?? []
        retained = Array((old + retained).prefix(Self.maximumRetainedCount))
        current.insert(key, at: 0)
    }

    /// Changes how many keys sign: the last ones go, or others are added.
    mutating func resize(to count: Int, adding keys: [EmulatorSigningKey]) {
        current = Array((current + keys).prefix(count))
    }

    /// The document of `/auth/keys`.
    ///
    /// - Parameters:
    ///   - order: whether each document has its own order.
    ///   - generator: decides that order.
    /// - Returns: every key that is published, as a JSON Web Key.
    func document(
        order: EmulatorSwitches.KeyOrder,
        using generator: inout any RandomNumberGenerator
    ) -> JSONObject {
        let keys = current + retained
        let ordered = order == .changing ? keys.shuffled(using: &generator) : keys
        return ["keys": .array(ordered.map { .object($0.publicObject) })]
    }

    /// One of the keys that sign: which one varies from token to token, as with Apple.
    func anyCurrent(
        using generator: inout any RandomNumberGenerator
    ) throws -> EmulatorSigningKey {
        guard let key = current.randomElement(using: &generator) else { throw NoSigningKey() }
        return key
    }

    private struct NoSigningKey: Error {}
}
