import AppleIdentity
import Foundation
import SignedTokens

/// The claims of an identity token, in Apple's order.
struct IdentityTokenDraft {
    enum Occasion {
        /// With a code, from the web page or a device.
        case authorization(code: String, realUserStatus: RealUserStatus?)
        /// In exchange for a code.
        case exchange(accessToken: String)
        case refresh(accessToken: String)
    }

    let switches: EmulatorSwitches
    let clientID: ClientID
    /// The creation time by the emulator's clock, in seconds since 1970.
    let madeAt: Int
    let userID: UserID
    let nonce: String?
    let authenticatedAt: Int
    let email: DisclosedEmail?
    let organizationID: String?
    /// The person's transfer identifier, in the 60 days after the app's transfer.
    let transferUserID: UserID?
    let occasion: Occasion

    /// The claims in this order, each only where it applies: `iss aud exp iat sub nonce
    /// c_hash|at_hash email email_verified is_private_email org_id auth_time transfer_sub
    /// nonce_supported real_user_status`.
    var claims: JSONObject {
        var claims: JSONObject = [
            "iss": .string(switches.issuer), "aud": .string(clientID.rawValue),
            "exp": .integer(madeAt + switches.clockSkewSeconds + switches.identityTokenSeconds),
            "iat": .integer(madeAt + switches.clockSkewSeconds), "sub": .string(userID.rawValue),
        ]
        switch occasion {
        case .authorization(let code, let realUserStatus):
            addNonce(to: &claims)
            claims["c_hash"] = .string(HalfHash.make(of: code))
            addEmail(to: &claims)
            addInteractiveClaims(to: &claims)
            claims["real_user_status"] = realUserStatus.map { .integer($0.rawValue) }
        case .exchange(let accessToken):
            addNonce(to: &claims)
            claims["at_hash"] = .string(HalfHash.make(of: accessToken))
            addEmail(to: &claims)
            addInteractiveClaims(to: &claims)
        case .refresh(let accessToken):
            claims["at_hash"] = .string(HalfHash.make(of: accessToken))
            addEmail(to: &claims)
            addTransferSubject(to: &claims)
        }
        switches.identityTokenDefect.spoil(&claims)
        return claims
    }

    private func addEmail(to claims: inout JSONObject) {
        let presence = switches.emailClaim(isManaged: organizationID != nil)
        guard let email, presence != .missing else { return }
        let isOwn = switches.emailAddress == EmulatorSwitches.ownAddress
        let address = isOwn ? email.address : switches.emailAddress
        claims["email"] = .string(presence == .empty ? "" : address)
        claims["email_verified"] = truth(email.isVerified)
        let isTold =
            switch switches.privateEmailClaim {
            case .whenTrue: email.isPrivate
            case .always: true
            case .missing: false
            }
        if isTold { claims["is_private_email"] = truth(email.isPrivate) }
    }

    private func truth(_ value: Bool) -> JSONValue {
        switches.booleanClaims == .text ? .string(value ? "true" : "false") : .boolean(value)
    }

    private func addNonce(to claims: inout JSONObject) {
        guard switches.isNonceSupported else { return }
        claims["nonce"] = nonce.map { .string($0) }
    }

    private func addInteractiveClaims(to claims: inout JSONObject) {
        claims["org_id"] = organizationID.map { .string($0) }
        claims["auth_time"] = .integer(authenticatedAt + switches.clockSkewSeconds)
        addTransferSubject(to: &claims)
        claims["nonce_supported"] = .boolean(switches.isNonceSupported)
    }

    private func addTransferSubject(to claims: inout JSONObject) {
        claims["transfer_sub"] = transferUserID.map { .string($0.rawValue) }
    }
}

/// One defect of an identity token, to test whether a server checks for it.
///
/// Source: [OpenID Connect Core 1.0, section 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation)
enum IdentityTokenDefect: String, SwitchChoice {
    case none
    /// The signature is by the header's key, but over other content.
    case badSignature = "bad_signature"
    /// The header's key is not published.
    case unknownKey = "unknown_key"
    /// The algorithm is `none`, and the signature is empty.
    case unsigned
    case wrongIssuer = "wrong_issuer"
    case wrongAudience = "wrong_audience"
    /// The `nonce` differs from the request's.
    case wrongNonce = "wrong_nonce"
    case nonceMissing = "nonce_missing"
    /// The `c_hash` belongs to another code.
    case wrongCodeHash = "wrong_code_hash"
    /// It expired an hour ago.
    case expired
    /// Its `iat` is an hour from now.
    case issuedInTheFuture = "issued_in_the_future"

    var label: String {
        switch self {
        case .none: "No defect"
        case .badSignature: "The signature is wrong"
        case .unknownKey: "The key is not published"
        case .unsigned: "There is no signature"
        case .wrongIssuer: "The issuer is another one"
        case .wrongAudience: "The audience is another app"
        case .wrongNonce: "The nonce is of another sign-in"
        case .nonceMissing: "The nonce is missing"
        case .wrongCodeHash: "The c_hash is of another code"
        case .expired: "It expired an hour ago"
        case .issuedInTheFuture: "It is issued an hour from now"
        }
    }

    private static let hourSeconds = 3_600
    private static let foreignText = "of another sign-in"

    /// Changes the claims; defects of the signature leave them unchanged.
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
