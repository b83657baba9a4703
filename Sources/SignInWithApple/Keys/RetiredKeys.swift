import Foundation
import SignedTokens

/// The keys that Apple withdrew within the last day, for tokens that it signed with them before.
///
/// A name comes with one token alone: its key may be gone when the token arrives. Such a key verifies no token
/// that says it was made after the withdrawal was noticed.
struct RetiredKeys {
    /// The longest lifetime of Apple's tokens, in seconds.
    static let lifetimeSeconds: TimeInterval = 86_400
    /// The most keys remembered; Apple publishes about three.
    static let maximumCount = 16

    struct Key {
        let key: VerificationKey
        let retiredAt: Date
    }

    private var keys: [String: Key] = [:]

    /// Remembers the keys that an answer of Apple's has no more.
    mutating func follow(
        from before: [String: VerificationKey],
        to published: [String: VerificationKey],
        at now: Date
    ) {
        for (name, key) in before { keys[name] = Key(key: key, retiredAt: now) }
        let retired = keys.filter { published[$0.key] == nil && Self.isAlive($0.value, at: now) }
            .sorted { $0.value.retiredAt > $1.value.retiredAt }
            .prefix(Self.maximumCount)
        keys = Dictionary(uniqueKeysWithValues: retired.map { ($0.key, $0.value) })
    }

    func key(named name: String, at now: Date) -> Key? {
        keys[name].flatMap { Self.isAlive($0, at: now) ? $0 : nil }
    }

    private static func isAlive(_ key: Key, at now: Date) -> Bool {
        // A clock that was set back must not keep a key for longer.
        abs(now.timeIntervalSince(key.retiredAt)) < lifetimeSeconds
    }
}
