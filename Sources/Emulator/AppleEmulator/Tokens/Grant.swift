import AppleIdentity
import Foundation

/// The person and the client that a code or token was issued for.
struct Grant: Hashable {
    var personID: PersonID = PersonID.unknown
    var clientID: ClientID = ""
    var group: ClientID = ""
    var teamID: TeamID = ""
    var nonce: String?
    var authenticatedAt: Date = .distantPast
    /// The switches of the authorization request, which also apply to its codes and tokens.
    var switches: JSONObject = [:]
}

/// A token that is valid only for user migration and for revocation.
struct IssuedAccessToken {
    static let lifetimeSeconds = 3_600

    var grant: Grant = Grant()
    var issuedAt: Date = .distantPast

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(issuedAt) >= TimeInterval(Self.lifetimeSeconds)
    }
}

/// A code that a client may exchange once.
struct AuthorizationCode {
    /// The default lifetime of a code, in seconds.
    ///
    /// Source: [Token validation](https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens)
    static let lifetimeSeconds: TimeInterval = 300

    var grant: Grant = Grant()
    /// The redirect URI of the authorization; nil for one from a device.
    var redirectURI: String?
    /// The base64url SHA-256 of the verifier that the code exchange requires.
    var codeChallenge: String?
    var issuedAt: Date = .distantPast
    var isUsed = false
    /// The access token and the refresh token that it was exchanged for.
    var tokens: [String] = []

    func isExpired(at time: Date, lifetimeSeconds: Int) -> Bool {
        time.timeIntervalSince(issuedAt) >= TimeInterval(lifetimeSeconds)
    }
}

struct DisclosedEmail: Hashable {
    let address: String
    let isVerified: Bool
    let isPrivate: Bool
}

struct TokenAnswer {
    /// The body, whose identity token is not signed yet.
    let object: JSONObject
    /// The identity token that is signed before the response is sent.
    var unsignedToken: UnsignedToken?
}

/// Codes and tokens in Apple's format: a letter, a UUID without hyphens, a place, 16 random bytes.
enum TokenText {
    private static let places = ["nruy", "mruy", "rruy", "rrsrs", "rrtrs", "mxzs", "nxsu", "nxy"]

    static func authorizationCode() -> String { make("c") }
    static func accessToken() -> String { make("a") }
    static func refreshToken() -> String { make("r") }

    private static func make(_ letter: String) -> String {
        let place = places.randomElement() ?? ""
        return letter + RandomText.uuidHexadecimal() + ".0." + place + "."
            + RandomText.base64URL(byteCount: 16)
    }
}
