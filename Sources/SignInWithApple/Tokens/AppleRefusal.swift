import AppleIdentity
import Foundation

/// Reads answers in which Apple refuses.
///
/// Source: [RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)
enum AppleRefusal {
    static func error(in answer: AppleExchange.Answer) -> SignInError {
        guard answer.status != 429, answer.status < 500 else {
            return SignInError(.appleUnavailable, hint: "Apple answered \(answer.status)")
        }
        guard (400..<500).contains(answer.status),
            let refusal = try? JSONDecoder().decode(OAuthErrorResponse.self, from: answer.body)
        else {
            return SignInError(
                .appleAnswerUnreadable,
                hint: "Apple answered \(answer.status) without an error in JSON"
            )
        }
        return error(for: refusal)
    }

    private static func error(for refusal: OAuthErrorResponse) -> SignInError {
        let words = refusal.errorDescription.map { " and said \(Excerpt.quoting($0))" } ?? ""
        let answer = "Apple answered \(Excerpt.quoting(refusal.error.rawValue))\(words)"
        switch refusal.error {
        case .invalidClient:
            return SignInError(
                .appleRefusedClient,
                hint: answer
                    + "; check key ID, team ID, that the key belongs to this client's primary app, "
                    + "and this server's clock"
            )
        case .invalidGrant:
            return SignInError(
                .appleRefusedGrant,
                hint: answer
                    + "; a code is good once, for five minutes, with the client and redirect "
                    + "address it was made for"
            )
        default:
            return SignInError(.appleRefusedRequest, hint: answer)
        }
    }
}
