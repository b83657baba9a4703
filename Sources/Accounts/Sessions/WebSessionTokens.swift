import Crypto
import Foundation
import SignInWithApple
import SignedTokens

/// Makes the token of the session that a web sign-in opens, out of the sign-in's nonce.
///
/// A browser may post a callback twice. The second post, at whichever replica, finds by the nonce the session that the
/// first one opened in its transaction. Without the sealing keys a nonce tells nothing of the token.
struct WebSessionTokens: Sendable {
    private let key: SymmetricKey?

    init(_ sealer: TokenSealer) {
        key = sealer.derivedKeys(for: "sign-in-with-apple web session 1").first
    }

    /// The token of a sign-in's first session.
    func token(ofNonce nonce: String) -> SessionToken? {
        key.flatMap {
            let code = HMAC<SHA256>.authenticationCode(for: Data(nonce.utf8), using: $0)
            return SessionToken(Base64URL.encode(Data(code)))
        }
    }
}
