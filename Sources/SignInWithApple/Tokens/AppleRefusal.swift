import AppleIdentity
import Foundation
import HTTPTypes

/// Reads answers in which Apple refuses.
///
/// Source: [RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)
enum AppleRefusal {
    /// Reads a refusal; what was sent lets it name the causes.
    static func error(
        in answer: AppleExchange.Answer,
        to sent: SentRequest? = nil
    ) -> SignInError {
        guard answer.status != 429, answer.status < 500 else {
            return SignInError(
                .appleUnavailable,
                hint: "Apple answered \(answer.status)",
                retryAfter: retryAfter(answer.fields[.retryAfter])
            )
        }
        guard (400..<500).contains(answer.status),
            let refusal = try? OAuthErrorResponse(parsing: answer.body)
        else {
            return SignInError(
                .appleAnswerUnreadable,
                hint: "Apple answered \(answer.status) without an error in JSON"
            )
        }
        return error(for: refusal, to: sent, at: HTTPDate.parse(answer.fields[.date]))
    }

    /// The longest wait believed.
    private static let maximumRetryAfter = Duration.seconds(86_400)

    /// RFC 9110, section 10.2.3: a number of seconds; the other form, a date, is left alone.
    /// https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
    private static func retryAfter(_ field: String?) -> Duration? {
        let wait = field.flatMap { Int($0) }.map { Duration.seconds($0) }
        return wait.flatMap { (.seconds(1)...maximumRetryAfter).contains($0) ? $0 : nil }
    }

    private static func error(
        for refusal: OAuthErrorResponse,
        to sent: SentRequest?,
        at appleTime: Date?
    ) -> SignInError {
        let words = refusal.errorDescription.map { " and said \(Excerpt.quoting($0))" } ?? ""
        let answer = "Apple answered \(Excerpt.quoting(refusal.error.rawValue))\(words)"
        switch refusal.error {
        case .invalidClient:
            let causes = sent.map { ClientRefusal(sent: $0, appleTime: appleTime).causes } ?? []
            return SignInError(
                .appleRefusedClient,
                hint: answer + "; " + advice(causes, generalClientAdvice),
                refusal: refusal,
                causes: causes
            )
        case .invalidGrant:
            let sentence = AppleSentence(refusal.errorDescription)
            let causes = sent.map { GrantRefusal(sent: $0, sentence: sentence).causes } ?? []
            return SignInError(
                .appleRefusedGrant,
                hint: answer + "; " + advice(causes, generalGrantAdvice),
                refusal: refusal,
                causes: causes
            )
        default:
            let causes = refusal.error == .invalidRequest ? sent?.requestCauses ?? [] : []
            return SignInError(
                .appleRefusedRequest,
                hint: causes.isEmpty ? answer : answer + "; " + advice(causes, ""),
                refusal: refusal,
                causes: causes
            )
        }
    }

    private static let generalClientAdvice =
        "check key ID, team ID, that the key belongs to this client's primary app, and this "
        + "server's clock"
    private static let generalGrantAdvice =
        "a code is good once, for five minutes, with the client and redirect address it was made "
        + "for"

    private static func advice(_ causes: [RefusalCause], _ general: String) -> String {
        guard let first = causes.first else { return general }
        return "\(first.isEvident ? "cause" : "likeliest cause"): \(first)"
    }
}
