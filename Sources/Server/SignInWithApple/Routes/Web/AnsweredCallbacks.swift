import AppleIdentity
import Foundation

/// The responses with which browsers were signed in a moment ago, for browsers that post a callback twice.
///
/// Safari posts some callbacks twice at once, and drops the first response with its session.
final class AnsweredCallbacks: Sendable {
    static let lifetime: TimeInterval = 60
    static let maximumCount = 1000

    private struct Answer {
        let callback: String
        let response: SignInResponse
        let endsAt: Date
    }

    /// The answers, oldest first.
    private let answers = LockedValue<[Answer]>([])

    /// Keeps the response to a callback.
    ///
    /// - Parameters:
    ///   - response: the redirect with the session's cookie.
    ///   - callback: the callback's state, which the browser's cookie has too, and its identity token.
    ///   - now: the current time.
    func keep(_ response: SignInResponse, to callback: String, at now: Date) {
        let answer = Answer(callback: callback, response: response, endsAt: now + Self.lifetime)
        answers.withLock { answers in
            Self.drop(&answers, endedAt: now)
            if answers.count >= Self.maximumCount { answers.removeFirst() }
            answers.append(answer)
        }
    }

    /// The response to the same callback before; nil after a minute.
    func response(to callback: String, at now: Date) -> SignInResponse? {
        answers.withLock { answers in
            Self.drop(&answers, endedAt: now)
            return answers.first { ConstantTime.isEqual($0.callback, callback) }?.response
        }
    }

    private static func drop(_ answers: inout [Answer], endedAt now: Date) {
        // A clock that was set back must not keep an answer for longer.
        answers.removeAll { $0.endsAt <= now || $0.endsAt > now + lifetime }
    }
}
