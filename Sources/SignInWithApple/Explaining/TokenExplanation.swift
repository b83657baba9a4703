import AppleIdentity
import Foundation
import SignedTokens

/// The whole decision about a token, in words: what it says, and each check with its reason.
///
/// Identity tokens, notifications and client secrets are told apart by what is in them. The checks
/// are the verifier's own; a client secret is held against what Apple is known to refuse. The
/// signature itself is never shown, so that what is printed can't be used as a token.
public struct TokenExplanation: Hashable, Sendable {
    /// What one line tells.
    public struct Line: Hashable, Sendable, CustomStringConvertible {
        /// Whether a line is a fact or the outcome of a check.
        public enum Mark: String, Hashable, Sendable {
            /// Something the token says.
            case fact = "    "
            /// A check that passed.
            case passed = "pass"
            /// A check that failed.
            case failed = "FAIL"
            /// A check with nothing to look at: the token does not have it.
            case skipped = "skip"
            /// A check that was not made, because what it compares with was not given.
            case open = "open"
        }

        /// Whether it is a fact or the outcome of a check.
        public let mark: Mark
        /// What it is about: a claim's name, or a check's.
        public let subject: String
        /// The words.
        public let words: String
        /// Why the verifier would refuse, when the check failed.
        public let code: SignInError.Code?

        init(_ mark: Mark, _ subject: String, _ words: String, code: SignInError.Code? = nil) {
            self.mark = mark
            self.subject = subject
            self.words = words
            self.code = code
        }

        /// The line as printed.
        public var description: String { "\(mark.rawValue)  \(subject): \(words)" }
    }

    var kind: TokenKind?
    /// The lines, facts first, then the checks in the verifier's order.
    public let lines: [Line]

    /// Why the verifier would refuse: the first check that failed.
    public var refusal: SignInError.Code? { lines.lazy.compactMap(\.code).first }

    /// The checks that were not made, because what they compare with was not given.
    public var openLines: [Line] { lines.filter { $0.mark == .open } }

    /// Whether every check was made, and passed.
    public var isAccepted: Bool { refusal == nil && openLines.isEmpty }

    /// All lines and the verdict, as one text.
    public var text: String { (lines.map(\.description) + [verdict]).joined(separator: "\n") }

    /// The decision in one line.
    public var verdict: String {
        if let refusal {
            let isSecret = kind == .clientSecret
            return "refused: \(isSecret ? "Apple would answer invalid_client" : refusal.rawValue)"
        }
        guard isAccepted else { return "good, as far as could be examined" }
        return switch kind {
        case .notification: "accepted as a notification"
        case .clientSecret: "nothing is wrong with this client secret; Apple alone knows its key"
        case .identityToken, .appStoreData, nil: "accepted"
        }
    }

    /// Explains an identity token, a notification or a client secret.
    ///
    /// - Parameters:
    ///   - token: the compact token, or the body of a notification as Apple posts it.
    ///   - keySet: Apple's keys, as the JSON that Apple publishes; nil when they are not at hand, so
    ///     that the signature stays open.
    ///   - audience: the clients it may be meant for; none leaves that check open.
    ///   - expectation: what an identity token must be bound to; what is not given stays open.
    ///   - issuer: the issuer it must name.
    ///   - time: the time at which to judge it.
    /// - Returns: the explanation.
    /// - Throws: ``SignInError/Code/appleKeysUnavailable`` when the keys can't be read.
    public static func explain(
        _ token: String,
        keySet: Data?,
        audience: [ClientID],
        expecting expectation: IdentityTokenExpectation = .init(nonce: .unchecked),
        issuer: String = AppleService.appleIssuer,
        at time: Date
    ) throws(SignInError) -> TokenExplanation {
        var keys: JSONWebKeySet?
        do throws(SignedTokenError) {
            if let keySet { keys = try JSONWebKeySet(json: keySet) }
        } catch {
            throw SignInError(error)
        }
        return explain(
            token,
            keys: keys,
            audience: audience,
            expecting: expectation,
            issuer: issuer,
            at: time
        )
    }

    /// Explains with keys that were read before.
    package static func explain(
        _ token: String,
        keys: JSONWebKeySet?,
        audience: [ClientID],
        expecting expectation: IdentityTokenExpectation = .init(nonce: .unchecked),
        issuer: String = AppleService.appleIssuer,
        at time: Date
    ) -> TokenExplanation {
        let explainer = TokenExplainer(
            keys: keys,
            audience: audience,
            expectation: expectation,
            issuer: issuer,
            now: time
        )
        return explainer.explain(token)
    }
}
