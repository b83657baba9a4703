import AppleIdentity
import Foundation
import HTTPTypes

/// Faults at random that a seed decides, so that they can be repeated.
///
/// What happens to a request depends on the seed, on the endpoint, and on how many requests the
/// endpoint had before, so that one endpoint is independent of the others.
struct Chaos {
    /// How many endpoints are counted; others share one count.
    private static let maximumPathCount = 100
    /// Endpoints that servers ask: only there whole answers go wrong.
    private static let serverPaths: Set<String> = [
        ApplePath.token, ApplePath.revoke, ApplePath.keys, ApplePath.discovery,
        ApplePath.userMigrationInformation,
    ]

    var seed: UInt64
    /// How many requests each endpoint had.
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
    /// Decides which key signs it.
    let keySeed: UInt64
    /// Whether the other spelling of an account's deletion is used.
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

/// A generator of numbers by chance whose sequence its seed decides.
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
        /// A page of a proxy, with 503; Apple did nothing.
        case unavailable
        /// 500 without words; Apple did nothing.
        case failed
        /// 429 with `Retry-After`; Apple did nothing.
        case throttled
        /// The connection is closed; Apple did nothing.
        case dropped
        /// Apple did its part, and the connection is closed before the answer.
        case lost
    }

    private static let failureProbability = 0.1
    private static let delayProbability = 0.25
    private static let delayMilliseconds = 50...500
    /// How often Apple takes another key to sign with; the old one stays published.
    private static let rotationProbability = 0.05

    let failure: Failure?
    let delayMilliseconds: Int?
    let renewsKey: Bool
    /// Decides the order in which keys are published, and which one signs.
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

    /// The answer instead of Apple's own; nil when Apple does its part.
    var outcome: Outcome? {
        switch failure {
        case .unavailable: Self.page(.serviceUnavailable, "<h1>503 Service Unavailable</h1>")
        case .failed: Self.page(.internalServerError, "")
        case .throttled: Self.throttled
        case .dropped: Outcome(answer: EmulatorAnswer(response: .init(status: .ok)))
        case .lost, nil: nil
        }
    }

    /// Delays or loses an answer, and has the log say what was done.
    func alter(_ outcome: inout Outcome) {
        outcome.answer.delay = delayMilliseconds.map { .milliseconds($0) }
        if failure == .dropped || failure == .lost { outcome.answer.isDropped = true }
        if let words = failure?.words {
            outcome.remark.error = outcome.remark.error ?? "chaos"
            outcome.remark.reason = outcome.remark.reason ?? words
        }
        let effects =
            [failure?.words, delayMilliseconds.map { "the answer was late by \($0) ms" }]
            .compactMap(\.self) + switchWords + (renewsKey ? ["a key was renewed"] : [])
        guard !effects.isEmpty else { return }
        outcome.remark.add(hint: "chaos: " + effects.joined(separator: ", "))
    }

    private var switchWords: [String] {
        (switches["boolean_claims"] == "text" ? ["truth values as texts"] : [])
            + (switches["private_email_claim"] == "always" ? ["is_private_email always told"] : [])
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
        case .unavailable: "a page with 503 was sent instead"
        case .failed: "500 was sent instead"
        case .throttled: "429 was sent instead"
        case .dropped: "the connection was closed before anything was done"
        case .lost: "all was done, and the answer was lost"
        }
    }
}
