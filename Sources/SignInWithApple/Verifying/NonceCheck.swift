import AppleIdentity
import Crypto
import Foundation

/// Compares an identity token's nonce with the one expected.
///
/// Source: [OpenID Connect Core, section 3.1.3.7, rule 11](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation)
enum NonceCheck {
    static func apply(
        _ expectation: NonceExpectation,
        to claims: IdentityTokenClaims
    ) throws(SignInError) {
        let accepted: [String]
        switch expectation {
        case .unchecked: return
        case .absent: accepted = []
        case .raw(let value): accepted = [value]
        case .sha256(let value): accepted = [hexadecimalSHA256(of: value)]
        case .rawOrSHA256(let value): accepted = [value, hexadecimalSHA256(of: value)]
        }
        guard let nonce = claims.nonce else {
            if accepted.isEmpty { return }
            throw missing(claims)
        }
        guard !accepted.isEmpty else {
            throw SignInError(
                .tokenNonceMismatch,
                hint: "it carries a nonce although none was sent; it belongs to another sign-in"
            )
        }
        guard accepted.contains(where: { ConstantTime.isEqual(nonce, $0) }) else {
            throw SignInError(
                .tokenNonceMismatch,
                hint: "its nonce is not the one expected; apps send it raw or as the lower-case "
                    + "hexadecimal SHA-256, never in Base64"
            )
        }
    }

    static func hexadecimalSHA256(of text: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Data(text.utf8)))
    }

    private static func missing(_ claims: IdentityTokenClaims) -> SignInError {
        let support =
            claims.nonceSupported == true
            ? "it says that nonces are supported, so this is not the token of this sign-in"
            : "the platform it comes from may not support nonces; a request without one is needed"
        return SignInError(.tokenNonceMissing, hint: "it carries no nonce; \(support)")
    }
}
