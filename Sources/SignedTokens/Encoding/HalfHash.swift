import Crypto
import Foundation

/// The hash by which a token is bound to the code or access token that came with it.
///
/// Source: [OpenID Connect Core, section 3.3.2.11](https://openid.net/specs/openid-connect-core-1_0.html#HybridIDToken)
public enum HalfHash {
    /// Makes the left half of a text's SHA-256, in base64url.
    ///
    /// - Parameter text: an authorization code or an access token.
    /// - Returns: 22 characters.
    public static func make(of text: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Data(text.utf8))).prefix(16))
    }
}
