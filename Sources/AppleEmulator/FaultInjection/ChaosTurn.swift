import AppleIdentity
import Foundation
import HTTPTypes

/// What happens to one request by chance.
struct ChaosTurn {
    /// How an answer goes wrong as a whole.
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

    /// How often an answer to a server goes wrong.
    private static let failureProbability = 0.1
    /// How often an answer comes late.
    private static let delayProbability = 0.25
    private static let delayMilliseconds = 50...500
    /// How often Apple takes another key to sign with; the old one stays published.
    private static let rotationProbability = 0.05

    let failure: Failure?
    let delayMilliseconds: Int?
    let renewsKey: Bool
    /// Decides the order in which keys are published, and which one signs.
    let keySeed: UInt64
    /// Switches that count for this request.
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
            "key_order": "changing",
            "boolean_claims": generator.chance(0.25) ? "text" : "boolean",
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
    /// What happened, for the log.
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
