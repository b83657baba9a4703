import AppleIdentity
import SignedTokens

/// The checks that bind an identity token to its sign-in, in the order they are made.
///
/// The text of a case is the name of its line in an explanation.
enum BindingCheck: String, CaseIterable {
    case nonce
    case codeHash = "code hash"
    case accessTokenHash = "access token hash"

    func apply(
        _ expectation: IdentityTokenExpectation,
        to claims: IdentityTokenClaims
    ) throws(SignInError) {
        switch self {
        case .nonce: try NonceCheck.apply(expectation.nonce, to: claims)
        case .codeHash: try Self.checkCodeHash(claims, expectation)
        case .accessTokenHash: try Self.checkAccessTokenHash(claims, expectation)
        }
    }

    /// OpenID Connect Core, section 3.3.2.11: a token that comes with a code carries its hash.
    /// https://openid.net/specs/openid-connect-core-1_0.html#HybridIDToken
    private static func checkCodeHash(
        _ claims: IdentityTokenClaims,
        _ expectation: IdentityTokenExpectation
    ) throws(SignInError) {
        guard let code = expectation.authorizationCode else { return }
        guard let codeHash = claims.codeHash else {
            throw SignInError(
                .tokenCodeHashMismatch,
                hint: "a code came with it, and it has no c_hash"
            )
        }
        guard ExactText.isSame(codeHash, HalfHash.make(of: code)) else {
            throw SignInError(
                .tokenCodeHashMismatch,
                hint: "its c_hash is not the hash of the code that came with it"
            )
        }
    }

    /// OpenID Connect Core, section 3.1.3.8: the hash is optional, and checked when it is there.
    /// https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowTokenValidation
    private static func checkAccessTokenHash(
        _ claims: IdentityTokenClaims,
        _ expectation: IdentityTokenExpectation
    ) throws(SignInError) {
        guard let accessToken = expectation.accessToken, let hash = claims.accessTokenHash
        else { return }
        guard ExactText.isSame(hash, HalfHash.make(of: accessToken)) else {
            throw SignInError(
                .tokenAccessTokenHashMismatch,
                hint: "its at_hash is not the hash of the access token that came with it"
            )
        }
    }
}
