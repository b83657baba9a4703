import AppleIdentity
import Foundation

/// What the claims of an identity token are held against.
struct IdentityTokenRules {
    /// How far the clocks of Apple and this server may be apart, in seconds.
    static let leewaySeconds: TimeInterval = 60
    /// The longest identifier of a person, in bytes; Apple's have about 44.
    ///
    /// Source: [OpenID Connect Core, section 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)
    static let subjectByteCountMax = 255

    let issuer: String
    let clientIDs: Set<ClientID>
    let expectation: IdentityTokenExpectation
    let now: Date
}
