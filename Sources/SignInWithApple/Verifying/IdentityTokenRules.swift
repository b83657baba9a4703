import AppleIdentity
import Foundation

/// What the claims of an identity token are held against.
struct IdentityTokenRules {
    /// How far the clocks of Apple and this server may be apart, in seconds.
    static let leewaySeconds: TimeInterval = 60
    /// The longest identifier of a person, in bytes; Apple's have about 44.
    ///
    /// Source: [OpenID Connect Core, section 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)
    static let maximumSubjectByteCount = 255

    let issuer: String
    /// The clients configured, of which the expectation may name some.
    let clientIDs: Set<ClientID>
    let expectation: IdentityTokenExpectation
    let now: Date

    /// The clients a token may be meant for.
    var acceptedClientIDs: Set<ClientID> {
        expectation.clientIDs.map(clientIDs.intersection) ?? clientIDs
    }

    /// Whether a token may be meant for a client, in a time that does not grow with their number.
    func accepts(_ client: ClientID) -> Bool {
        // The set takes different spellings of one character as equal, the bytes tell them apart.
        guard let index = clientIDs.firstIndex(of: client),
            ExactText.isSame(clientIDs[index].rawValue, client.rawValue)
        else { return false }
        return expectation.clientIDs?.contains(client) ?? true
    }
}
