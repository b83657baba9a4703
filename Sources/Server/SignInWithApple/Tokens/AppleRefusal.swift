import AppleIdentity
import Foundation
import HTTPTypes

/// Reads Apple's error responses.
///
/// Source: [RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)
enum AppleRefusal {
    /// Reads an error response, and finds the causes that fit the request.
    static func error(in answer: AppleExchange.Answer, to sent: SentRequest) -> SignInError {
        guard answer.status != 429, answer.status < 500 else {
            return SignInError(
                .appleUnavailable,
                hint: "Apple responded with \(answer.status)",
                retryAfter: retryAfter(answer.fields[.retryAfter])
            )
        }
        guard (400..<500).contains(answer.status),
            let refusal = try? OAuthErrorResponse(parsing: answer.body)
        else {
            return SignInError(
                .appleAnswerUnreadable,
                hint: "Apple responded with \(answer.status) and no OAuth error in JSON"
            )
        }
        return error(for: refusal, to: sent, at: HTTPDate.parse(answer.fields[.date]))
    }

    /// The longest wait that is accepted from Apple.
    private static let maximumRetryAfter = Duration.seconds(86_400)

    /// RFC 9110, section 10.2.3: a number of seconds; the other form, a date, is ignored.
    /// https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
    private static func retryAfter(_ field: String?) -> Duration? {
        let wait = field.flatMap { Int($0) }.map { Duration.seconds($0) }
        return wait.flatMap { (.seconds(1)...maximumRetryAfter).contains($0) ? $0 : nil }
    }

    private static func error(
        for refusal: OAuthErrorResponse,
        to sent: SentRequest,
        at appleTime: Date?
    ) -> SignInError {
        let words =
            refusal.errorDescription.map { " and the description \(Excerpt.quoting($0))" } ?? ""
        let causes = sent.causes(of: refusal, appleTime: appleTime)
        let advice = causes.first.map { "; \($0.isEvident ? "cause" : "likeliest cause"): \($0)" }
        return SignInError(
            code(of: refusal),
            hint: "Apple responded with \(Excerpt.quoting(refusal.error.rawValue))\(words)"
                + (advice ?? ""),
            refusal: refusal,
            causes: causes
        )
    }

    static func code(of refusal: OAuthErrorResponse) -> SignInError.Code {
        switch refusal.error {
        case .invalidClient: .appleRefusedClient
        case .invalidGrant: .appleRefusedGrant
        default: .appleRefusedRequest
        }
    }
}
