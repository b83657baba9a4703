import AppleIdentity
import Foundation
import HTTPTypes

/// Random faults that are reproducible by their seed.
///
/// The fault of a request depends on the seed, on the endpoint, and on the number of earlier
/// requests to the endpoint. So endpoints are independent of each other.
struct Chaos {
    /// The maximum number of endpoints with their own count; others share one.
    private static let maximumPathCount = 100
    /// The endpoints for servers, the only ones with failed responses.
    private static let serverPaths: Set<String> = [
        ApplePath.token, ApplePath.revoke, ApplePath.keys, ApplePath.discovery,
        ApplePath.userMigrationInformation,
    ]

    var seed: UInt64
    /// The number of requests to each endpoint.
    var counts: [String: UInt64] = [:]

    mutating func turn(path: String) -> ChaosTurn {
        var generator = generator(for: path)
        return ChaosTurn(
            isForServers: Self.serverPaths.contains(path),
            isForTokens: path == ApplePath.token,
            &generator
        )
    }

    mutating func notification() -> ChaosNotification {
        var generator = generator(for: "notification")
        return ChaosNotification(&generator)
    }

    private mutating func generator(for name: String) -> SeededGenerator {
        let key = counts[name] != nil || counts.count < Self.maximumPathCount ? name : ""
        let count = counts[key, default: 0] &+ 1
        counts[key] = count
        var mixed = SeededGenerator(seed: seed ^ Self.hash(key) &+ count &* 0x9E37_79B9)
        return SeededGenerator(seed: mixed.next())
    }

    /// A hash that is the same in every process.
    ///
    /// Source: [FNV-1a](https://datatracker.ietf.org/doc/html/draft-eastlake-fnv)
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

struct ChaosNotification {
    private static let maximumDelaySeconds = 5

    let duplicateCount: Int
    let delaySeconds: Int
    /// The seed for the choice of the signing key.
    let keySeed: UInt64
    /// Whether the other event type for account deletion is used.
    private let swapsSpelling: Bool

    init(_ generator: inout SeededGenerator) {
        duplicateCount = generator.chance(0.25) ? 1 : 0
        delaySeconds =
            generator.chance(0.25)
            ? Int.random(in: 1...Self.maximumDelaySeconds, using: &generator) : 0
        swapsSpelling = generator.chance(0.5)
        keySeed = generator.next()
    }

    func spelling(of kind: NotificationEvent.Kind) -> NotificationEvent.Kind {
        guard kind.isAccountDeletion, swapsSpelling else { return kind }
        return kind == .accountDeleted ? .accountDelete : .accountDeleted
    }
}

/// A reproducible random number generator.
///
/// Source: [SplitMix](https://dl.acm.org/doi/10.1145/2714064.2660195)
struct SeededGenerator: RandomNumberGenerator {
    private(set) var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A generator with a seed, or the system's without one.
    static func make(seed: UInt64?) -> any RandomNumberGenerator {
        seed.map { SeededGenerator(seed: $0) } ?? SystemRandomNumberGenerator()
    }

    mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}

struct ChaosTurn {
    enum Failure: CaseIterable {
        /// A proxy's page with status 503; the request is not processed.
        case unavailable
        /// Status 500 without a body; the request is not processed.
        case failed
        /// Status 429 with `Retry-After`; the request is not processed.
        case throttled
        /// The connection is closed; the request is not processed.
        case dropped
        /// The request is processed, but the connection is closed before the response.
        case lost
    }

    private static let failureProbability = 0.1
    private static let delayProbability = 0.25
    private static let delayMilliseconds = 50...500
    /// The probability of a new signing key; the old one stays published.
    private static let rotationProbability = 0.05

    let failure: Failure?
    let delayMilliseconds: Int?
    let renewsKey: Bool
    /// The seed for the order of the published keys and for the choice of the signing key.
    let keySeed: UInt64
    let switches: JSONObject

    init(isForServers: Bool, isForTokens: Bool, _ generator: inout SeededGenerator) {
        let isFailure = generator.chance(Self.failureProbability)
        let failure = Failure.allCases.randomElement(using: &generator)
        self.failure = isForServers && isFailure ? failure : nil
        let isLate = generator.chance(Self.delayProbability)
        let delay = Int.random(in: Self.delayMilliseconds, using: &generator)
        delayMilliseconds = isLate ? delay : nil
        renewsKey = generator.chance(Self.rotationProbability) && isForTokens
        switches = [
            "key_order": "changing", "boolean_claims": generator.chance(0.25) ? "text" : "boolean",
            "private_email_claim": generator.chance(0.25) ? "always" : "when_true",
            "clock_skew_seconds": .integer(Int.random(in: -2...2, using: &generator)),
        ]
        keySeed = generator.next()
    }

    /// The response instead of Apple's; nil if the request is processed.
    var outcome: Outcome? {
        switch failure {
        case .unavailable: Self.page(.serviceUnavailable, "<h1>503 Service Unavailable</h1>")
        case .failed: Self.page(.internalServerError, "")
        case .throttled: Self.throttled
        case .dropped: Outcome(answer: EmulatorAnswer(response: .init(status: .ok)))
        case .lost, nil: nil
        }
    }

    /// Delays or drops a response, and records it in the log.
    func alter(_ outcome: inout Outcome) {
        outcome.answer.delay = delayMilliseconds.map { .milliseconds($0) }
        if failure == .dropped || failure == .lost { outcome.answer.isDropped = true }
        if let words = failure?.words {
            outcome.remark.error = outcome.remark.error ?? "chaos"
            outcome.remark.reason = outcome.remark.reason ?? words
        }
        let effects =
            [failure?.words, delayMilliseconds.map { "the response was delayed by \($0) ms" }]
            .compactMap(\.self) + switchWords + (renewsKey ? ["a signing key was replaced"] : [])
        guard !effects.isEmpty else { return }
        outcome.remark.add(hint: "chaos: " + effects.joined(separator: ", "))
    }

    private var switchWords: [String] {
        (switches["boolean_claims"] == "text" ? ["booleans sent as strings"] : [])
            + (switches["private_email_claim"] == "always"
                ? ["is_private_email always included"] : [])
    }

    private static func page(_ status: HTTPResponse.Status, _ text: String) -> Outcome {
        var response = HTTPResponse(status: status)
        if !text.isEmpty { response.headerFields[.contentType] = "text/html" }
        return Outcome(answer: EmulatorAnswer(response: response, body: Data(text.utf8)))
    }

    private static var throttled: Outcome {
        var outcome = page(.tooManyRequests, "")
        outcome.answer.response.headerFields[.retryAfter] = "1"
        return outcome
    }
}

extension ChaosTurn.Failure {
    fileprivate var words: String {
        switch self {
        case .unavailable: "an HTML page with status 503 was sent instead"
        case .failed: "status 500 was sent instead"
        case .throttled: "status 429 was sent instead"
        case .dropped: "the connection was closed before the request was processed"
        case .lost: "the request was processed, but the response was dropped"
        }
    }
}
