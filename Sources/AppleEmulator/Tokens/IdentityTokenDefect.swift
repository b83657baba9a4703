import AppleIdentity
import SignedTokens

/// One way in which an identity token can be wrong, so that an app's server shows whether it looks.
///
/// Source: [OpenID Connect Core 1.0, section 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation)
enum IdentityTokenDefect: String, CaseIterable {
    case none
    /// Signed by the key that the header names, but for other words.
    case badSignature = "bad_signature"
    /// The header names a key that is not published.
    case unknownKey = "unknown_key"
    /// The header says `none`, and there is no signature.
    case unsigned
    case wrongIssuer = "wrong_issuer"
    case wrongAudience = "wrong_audience"
    /// Another `nonce` than the one that was sent.
    case wrongNonce = "wrong_nonce"
    case nonceMissing = "nonce_missing"
    /// `c_hash` is the one of another code.
    case wrongCodeHash = "wrong_code_hash"
    /// It ended an hour ago.
    case expired
    /// It is issued an hour from now.
    case issuedInTheFuture = "issued_in_the_future"

    private static let hourSeconds = 3_600
    private static let foreignText = "of another sign-in"

    /// Makes claims wrong that were right; defects of the signature leave them as they are.
    func spoil(_ claims: inout JSONObject) {
        switch self {
        case .none, .badSignature, .unknownKey, .unsigned: break
        case .wrongIssuer: claims["iss"] = "https://appleid.example.com"
        case .wrongAudience: claims["aud"] = "com.example.another"
        case .wrongNonce where claims["nonce"] != nil: claims["nonce"] = .string(Self.foreignText)
        case .nonceMissing: claims["nonce"] = nil
        case .wrongCodeHash where claims["c_hash"] != nil:
            claims["c_hash"] = .string(HalfHash.make(of: Self.foreignText))
        case .wrongNonce, .wrongCodeHash: break
        case .expired:
            let life = (claims["exp"]?.integerValue ?? 0) - (claims["iat"]?.integerValue ?? 0)
            Self.move(&claims, by: -life - Self.hourSeconds)
        case .issuedInTheFuture: Self.move(&claims, by: Self.hourSeconds)
        }
    }

    private static func move(_ claims: inout JSONObject, by seconds: Int) {
        for name in ["exp", "iat"] {
            claims[name] = claims[name]?.integerValue.map { .integer($0 + seconds) }
        }
    }
}
