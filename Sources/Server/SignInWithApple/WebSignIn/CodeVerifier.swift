import AppleIdentity
import Crypto
import Foundation
import SignedTokens

/// The secret of a sign-in's beginner, without which its code cannot be exchanged (PKCE).
///
/// Source: [RFC 7636, section 4](https://www.rfc-editor.org/rfc/rfc7636#section-4)
package enum CodeVerifier {
    /// The allowed numbers of characters.
    package static let counts = 43...128
    /// The allowed characters, as a regular expression of JSON Schema.
    package static let pattern = "^[A-Za-z0-9._~-]*$"
    private static let byteCount = 32

    static func make() -> String { SecureRandom.hexadecimal(byteCount: byteCount) }

    /// Whether a string is a valid verifier; a shorter one could be guessed from its challenge.
    package static func isWellFormed(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9._~\-]+/) != nil && counts.contains(text.utf8.count)
    }

    /// The challenge of the method S256.
    package static func challenge(of verifier: String) -> String {
        Base64URL.encode(SHA256.hash(data: Data(verifier.utf8)))
    }
}
