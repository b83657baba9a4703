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
            /// A check that could not be made.
            case skipped = "skip"
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

    /// Whether every check was made that needs no request to compare with, and passed.
    public var isAccepted: Bool {
        // Without these two there is no decision; Apple alone knows the key of a client secret.
        let needed = kind == .clientSecret ? [] : ["signature", "audience"]
        return refusal == nil
            && !lines.contains { $0.mark == .skipped && needed.contains($0.subject) }
    }

    /// All lines and the verdict, as one text.
    public var text: String {
        (lines.map(\.description) + [verdict]).joined(separator: "\n")
    }

    /// The decision in one line.
    public var verdict: String {
        if let refusal {
            let isSecret = kind == .clientSecret
            return "refused: \(isSecret ? "Apple would answer invalid_client" : refusal.rawValue)"
        }
        guard isAccepted else { return "undecided: a check could not be made" }
        return switch kind {
        case .notification: "accepted as a notification"
        case .clientSecret: "nothing is wrong with this client secret; Apple alone knows its key"
        case .identityToken, nil: "accepted"
        }
    }

    /// Explains an identity token, a notification or a client secret.
    ///
    /// - Parameters:
    ///   - token: the compact token, or the body of a notification as Apple posts it.
    ///   - keySet: Apple's keys, as the JSON that Apple publishes; nil when they are not at hand, so
    ///     that the signature stays open.
    ///   - audience: the clients it may be meant for; none leaves that check open.
    ///   - issuer: the issuer it must name.
    ///   - time: the time at which to judge it.
    /// - Returns: the explanation.
    /// - Throws: ``SignInError/Code/appleKeysUnavailable`` when the keys can't be read.
    public static func explain(
        _ token: String,
        keySet: Data?,
        audience: [ClientID],
        issuer: String = AppleService.appleIssuer,
        at time: Date
    ) throws(SignInError) -> TokenExplanation {
        var keys: JSONWebKeySet?
        do throws(SignedTokenError) {
            if let keySet { keys = try JSONWebKeySet(json: keySet) }
        } catch {
            throw SignInError(error)
        }
        return explain(token, keys: keys, audience: audience, issuer: issuer, at: time)
    }

    /// Explains with keys that were read before.
    package static func explain(
        _ token: String,
        keys: JSONWebKeySet?,
        audience: [ClientID],
        issuer: String = AppleService.appleIssuer,
        at time: Date
    ) -> TokenExplanation {
        TokenExplainer(keys: keys, audience: audience, issuer: issuer, now: time).explain(token)
    }
}
