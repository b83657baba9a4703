import AppleIdentity
import Crypto
import Foundation
import SignedTokens

/// The checks that bind an identity token to its sign-in, in their order.
///
/// The raw value of a case is the name of its line in an explanation.
enum BindingCheck: String, CaseIterable {
    case nonce
    case codeHash = "code hash"
    case accessTokenHash = "access token hash"

    func apply(
        _ expectation: IdentityTokenExpectation,
        to claims: IdentityTokenClaims
    ) throws(SignInError) {
        switch self {
        case .nonce: try expectation.nonce.check(claims)
        case .codeHash: try Self.checkCodeHash(claims, expectation)
        case .accessTokenHash: try Self.checkAccessTokenHash(claims, expectation)
        }
    }

    /// OpenID Connect Core, section 3.3.2.11: a token that comes with a code has its hash.
    /// https://openid.net/specs/openid-connect-core-1_0.html#HybridIDToken
    private static func checkCodeHash(
        _ claims: IdentityTokenClaims,
        _ expectation: IdentityTokenExpectation
    ) throws(SignInError) {
        guard let code = expectation.authorizationCode else { return }
        guard let codeHash = claims.codeHash else {
            throw SignInError(
                .tokenCodeHashMismatch,
                hint: "it came with a code, but has no c_hash"
            )
        }
        guard ConstantTime.isEqual(codeHash, HalfHash.make(of: code)) else {
            throw SignInError(
                .tokenCodeHashMismatch,
                hint: "its c_hash is not the hash of the code that came with it"
            )
        }
    }

    /// OpenID Connect Core, section 3.1.3.8: the hash is optional, and checked if it is present.
    /// https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowTokenValidation
    private static func checkAccessTokenHash(
        _ claims: IdentityTokenClaims,
        _ expectation: IdentityTokenExpectation
    ) throws(SignInError) {
        guard let accessToken = expectation.accessToken, let hash = claims.accessTokenHash
        else { return }
        guard ConstantTime.isEqual(hash, HalfHash.make(of: accessToken)) else {
            throw SignInError(
                .tokenAccessTokenHashMismatch,
                hint: "its at_hash is not the hash of the access token that came with it"
            )
        }
    }
}

extension NonceExpectation {
    /// Compares an identity token's nonce with the expected one.
    ///
    /// Source: [OpenID Connect Core, section 3.1.3.7, rule 11](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation)
    fileprivate func check(_ claims: IdentityTokenClaims) throws(SignInError) {
        switch (self, claims.nonce) {
        case (.unchecked, _), (.absent, nil): return
        case (_, nil):
            let support =
                claims.nonceSupported == true
                ? "nonce_supported is true, so this is not the token of this sign-in"
                : "its platform may not support nonces; send a request without one"
            throw SignInError(.tokenNonceMissing, hint: "it has no nonce; \(support)")
        case (.absent, _):
            throw SignInError(
                .tokenNonceMismatch,
                hint: "it has a nonce although none was sent; it belongs to another sign-in"
            )
        case (_, let nonce?):
            guard !isExpected(nonce) else { return }
            throw SignInError(
                .tokenNonceMismatch,
                hint: "its nonce is not the expected one; apps send it unchanged or as the "
                    + "lower-case hexadecimal SHA-256, never in Base64"
            )
        }
    }

    private func isExpected(_ nonce: String) -> Bool {
        switch self {
        case .raw(let value): ConstantTime.isEqual(nonce, value)
        case .sha256(let value): ConstantTime.isEqual(nonce, SHA256.hexadecimal(of: value))
        case .rawOrSHA256(let value):
            ConstantTime.isEqual(nonce, value)
                || ConstantTime.isEqual(nonce, SHA256.hexadecimal(of: value))
        case .absent, .unchecked: false
        }
    }
}
