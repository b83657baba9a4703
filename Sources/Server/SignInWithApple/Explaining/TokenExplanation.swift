import AppleIdentity
import Foundation
import SignedTokens

/// A report on a token: its content, and each check of it with the result.
///
/// The content decides whether it is an identity token, an access token, a notification or a client secret. The
/// checks are the verifier's own; a client secret is compared with Apple's known rules. The report
/// never contains the signature, so it cannot be used as a token.
package struct TokenExplanation: Hashable, Sendable {
    /// A line of the report: a fact, or the result of a check.
    package struct Line: Hashable, Sendable, CustomStringConvertible {
        /// Whether a line is a fact or the result of a check.
        package enum Mark: String, Hashable, Sendable {
            /// A fact in the token.
            case fact = "    "
            /// A check that passed.
            case passed = "pass"
            /// A check that failed.
            case failed = "FAIL"
            /// A check that does not apply, because the token lacks the claim.
            case skipped = "skip"
            /// A check that was not made, because the value to compare with was not given.
            case open = "open"
        }

        /// Whether the line is a fact or the result of a check.
        package let mark: Mark
        /// The name of the claim or of the check.
        package let subject: String
        /// The explanation in English.
        package let words: String
        /// The verifier's error code, if the check failed.
        package let code: SignInError.Code?

        init(_ mark: Mark, _ subject: String, _ words: String, code: SignInError.Code? = nil) {
            self.mark = mark
            self.subject = subject
            self.words = words
            self.code = code
        }

        /// The line as printed.
        package var description: String { "\(mark.rawValue)  \(subject): \(words)" }
    }

    var kind: TokenKind?
    /// The lines, facts first, then the checks in the verifier's order.
    package let lines: [Line]

    /// The error code of the first check that failed; nil if none failed.
    package var refusal: SignInError.Code? { lines.lazy.compactMap(\.code).first }

    /// The checks that were not made, because the value to compare with was not given.
    package var openLines: [Line] { lines.filter { $0.mark == .open } }

    /// Whether every check was made, and passed.
    package var isAccepted: Bool { refusal == nil && openLines.isEmpty }

    /// All lines and the verdict, joined by line breaks.
    package var text: String { (lines.map(\.description) + [verdict]).joined(separator: "\n") }

    /// The decision in one line.
    package var verdict: String {
        if let refusal {
            let isSecret = kind == .clientSecret
            return
                "refused: \(isSecret ? "Apple would respond with invalid_client" : refusal.rawValue)"
        }
        guard isAccepted else { return "valid, as far as it could be checked" }
        return switch kind {
        case .notification: "accepted as a notification"
        case .accessToken: "accepted"
        case .clientSecret: "no error in this client secret; only Apple can verify its signature"
        case .identityToken, .appStoreData, nil: "accepted"
        }
    }

    /// Whether a text names itself the access token of an accounts server, whose keys are not Apple's.
    package static func isAccessToken(_ text: String) -> Bool {
        (try? UnverifiedToken(text)).map { ReceivedAccessToken.hasType($0.header) } ?? false
    }

    /// Explains an identity token, an access token, a notification, a client secret or an error response of Apple.
    ///
    /// - Parameters:
    ///   - token: the compact token, the body of a notification as Apple posts it, or the JSON of Apple's error
    ///     response, whose possible causes are listed.
    ///   - keys: Apple's keys; nil leaves the signature unchecked.
    ///   - audience: the accepted clients; an empty array leaves the audience unchecked.
    ///   - expectation: the values that an identity token must match; missing ones stay unchecked.
    ///   - issuer: the expected issuer.
    ///   - time: the time that `exp`, `iat` and `nbf` are compared with.
    /// - Returns: the report.
    package static func explain(
        _ token: String,
        keys: JSONWebKeySet?,
        audience: [ClientID],
        expecting expectation: IdentityTokenExpectation = .init(nonce: .unchecked),
        issuer: String = AppleService.appleIssuer,
        at time: Date
    ) -> TokenExplanation {
        TokenExplainer(
            keys: keys,
            audience: audience,
            expectation: expectation,
            issuer: issuer,
            now: time
        )
        .explain(token)
    }
}
