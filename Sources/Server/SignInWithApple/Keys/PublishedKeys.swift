import AppleIdentity
import CoreMetrics
import Foundation
import HTTPTypes
import SignedTokens

/// Where keys are published, and how they are used.
package struct KeySource: Sendable {
    let publisher: String
    let path: String
    let algorithm: SignatureAlgorithm
    /// The error if the keys cannot be fetched.
    let unavailable: SignInError.Code
    /// Whether an expired key is used only if its renewal failed, for at most ``KeyCache/maximumStaleSeconds``.
    let isRenewedBeforeUse: Bool
    let metricLabel: String

    package static let apple = KeySource(
        publisher: "Apple",
        path: ApplePath.keys,
        algorithm: .rs256,
        unavailable: .appleKeysUnavailable,
        isRenewedBeforeUse: false,
        metricLabel: "siwa_apple_key"
    )
    /// The keys of access tokens, at the URL of the service itself.
    ///
    /// A withdrawn key may have been stolen.
    package static let accountsServer = KeySource(
        publisher: "the accounts server",
        path: "",
        algorithm: .es256,
        unavailable: .keysUnavailable,
        isRenewedBeforeUse: true,
        metricLabel: "siwa_access_token_key"
    )
}

/// A response of a keys endpoint.
///
/// Source: [Fetch Apple's public key](https://developer.apple.com/documentation/signinwithapplerestapi/fetch-apple_s-public-key-for-verifying-token-signature)
struct PublishedKeys {
    /// The bounds of the time for which keys are cached, in seconds, whatever the response says.
    static let lifetimeBounds: ClosedRange<TimeInterval> = 300...86_400
    /// How long keys are cached if the response has no such time, in seconds.
    static let lifetimeDefault: TimeInterval = 3600

    let keys: [String: VerificationKey]
    let lifetimeSeconds: TimeInterval

    init(of source: KeySource, fetchedWith exchange: AppleExchange) async throws {
        func unavailable(_ hint: String) -> SignInError {
            let host = exchange.service.url.host(percentEncoded: true) ?? ""
            return SignInError(
                source.unavailable,
                hint: "\(source.publisher)'s keys at \(host): \(hint)"
            )
        }
        let answer: AppleExchange.Answer
        do {
            answer = try await exchange.get(source.path)
        } catch let error as SignInError {
            // An invalid URL is a configuration error; every other error concerns the keys.
            guard error.code != .configurationInvalid else { throw error }
            throw unavailable(error.hint)
        }
        guard answer.status == 200 else {
            throw unavailable("the keys endpoint responded with \(answer.status)")
        }
        guard let document = try? JSONWebKeySet(json: answer.body) else {
            throw unavailable("the keys endpoint responded without keys")
        }
        keys = document.verificationKeys().filter { $0.value.algorithm == source.algorithm }
        guard !keys.isEmpty else {
            throw unavailable("the keys endpoint responded without a usable key")
        }
        lifetimeSeconds = Self.lifetime(from: answer.fields[.cacheControl])
    }

    /// RFC 9111, section 5.2.2.1: how long a response may be cached.
    /// https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.1
    static func lifetime(from cacheControl: String?) -> TimeInterval {
        let directives = (cacheControl ?? "").lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if directives.contains("no-store") || directives.contains("no-cache") {
            return lifetimeBounds.lowerBound
        }
        let age = directives.first { $0.hasPrefix("max-age=") }?
            .dropFirst("max-age=".count)
            .trimmingCharacters(in: ["\""])
        guard let seconds = age.flatMap(Int.init) else { return lifetimeDefault }
        return min(max(TimeInterval(seconds), lifetimeBounds.lowerBound), lifetimeBounds.upperBound)
    }
}

/// The keys that Apple withdrew within the last day, for tokens that it signed with them before.
///
/// Apple sends a name with only one token, and its key may be withdrawn when the token arrives. Such a key
/// verifies only tokens whose issue time is before the withdrawal was noticed.
struct RetiredKeys {
    /// The longest lifetime of Apple's tokens, in seconds.
    static let lifetimeSeconds: TimeInterval = 86_400
    /// The maximum number of keys; Apple publishes about three.
    static let maximumCount = 16

    struct Key {
        let key: VerificationKey
        let retiredAt: Date
    }

    private var keys: [String: Key] = [:]

    /// Keeps the keys that a response of Apple no longer contains.
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

/// The metrics of the key cache.
struct KeyCacheMeasures: Sendable {
    /// Tokens whose key was known and fresh.
    let hits: Counter
    let failures: Counter
    private let fetches: Counter
    private let fetchedAt: Meter

    init(_ metrics: any MetricsFactory, label: String) {
        hits = Counter(label: label + "_hits_total", factory: metrics)
        let fetches = label + "_fetches_total"
        self.fetches = Counter(label: fetches, dimensions: [("outcome", "ok")], factory: metrics)
        failures = Counter(label: fetches, dimensions: [("outcome", "failed")], factory: metrics)
        fetchedAt = Meter(label: label + "s_fetched_timestamp_seconds", factory: metrics)
    }

    /// Records a response with keys.
    func renewed(at now: Date) {
        fetches.increment()
        fetchedAt.set(now.timeIntervalSince1970)
    }
}
