import Crypto
import Foundation
import SignInWithApple
import SignedTokens

/// Derives the token of a web sign-in's session from the sign-in's nonce.
///
/// A browser may post a callback twice. The second post, at any replica, finds the session of the first one by the
/// nonce. Without the encryption key, the nonce reveals nothing about the token.
struct WebSessionTokens: Sendable {
    private let key: SymmetricKey?

    init(_ sealer: TokenSealer) {
        key = sealer.derivedKeys(for: "sign-in-with-apple web session 1").first
    }

    /// The token of the sign-in's first session.
    func token(ofNonce nonce: String) -> SessionToken? {
        key.flatMap {
            let code = HMAC<SHA256>.authenticationCode(for: Data(nonce.utf8), using: $0)
            return SessionToken(Base64URL.encode(Data(code)))
        }
    }
}
