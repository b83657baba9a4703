import AppleIdentity
import Foundation

/// What a code or token stands for: a person, for a client.
struct Grant: Hashable {
    var personID: PersonID = PersonID.nobody
    var clientID: ClientID = ""
    var group: ClientID = ""
    var teamID: TeamID = ""
    /// The nonce of the authorization, verbatim.
    var nonce: String?
    /// When the person showed who they are.
    var authenticatedAt: Date = .distantPast
    /// The switches that the authorization asked for; they count for all that comes of it.
    var switches: JSONObject = [:]
}

/// A token that is good for nothing but moving people between teams, and for revoking.
struct AccessToken {
    /// How long it is good for, in seconds.
    static let lifetimeSeconds = 3_600

    var grant: Grant = Grant()
    var issuedAt: Date = .distantPast

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(issuedAt) >= TimeInterval(Self.lifetimeSeconds)
    }
}

/// A code that a client may exchange once.
struct AuthorizationCode {
    /// How long a code is good for, in seconds, unless switched.
    ///
    /// Source: [Token validation](https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens)
    static let lifetimeSeconds: TimeInterval = 300

    var grant: Grant = Grant()
    /// The redirect address of the authorization; nil for one from a device.
    var redirectURI: String?
    /// The SHA-256 of a verifier, in base64url, that must come with the code.
    var codeChallenge: String?
    var issuedAt: Date = .distantPast
    var isUsed = false
    /// The access and refresh token it was exchanged for.
    var tokens: [String] = []

    func isExpired(at time: Date, lifetimeSeconds: Int) -> Bool {
        time.timeIntervalSince(issuedAt) >= TimeInterval(lifetimeSeconds)
    }
}

/// The address that an app gets to know.
struct DisclosedEmail: Hashable {
    let address: String
    let isVerified: Bool
    let isPrivate: Bool
}

/// What the token endpoint answers.
struct TokenAnswer {
    /// The body; an identity token in it lacks its signature.
    let object: JSONObject
    /// The identity token that is to be signed before the answer leaves.
    var unsignedToken: UnsignedToken?
}

/// Codes and tokens in Apple's form: a letter, a UUID without dashes, a place, 16 random bytes.
enum TokenText {
    private static let places = ["nruy", "mruy", "rruy", "rrsrs", "rrtrs", "mxzs", "nxsu"]

    static func authorizationCode(_ tag: WorldTag?) -> String { make("c", tag) }
    static func accessToken(_ tag: WorldTag?) -> String { make("a", tag) }
    static func refreshToken(_ tag: WorldTag?) -> String { make("r", tag) }

    private static func make(_ letter: String, _ tag: WorldTag?) -> String {
        var generator = SystemRandomNumberGenerator()
        let place = places[Int.random(in: 0..<places.count, using: &generator)]
        let uuid = RandomText.uuidHexadecimal()
        return letter + (tag?.marking(uuid) ?? uuid) + ".0." + place + "."
            + RandomText.base64URL(byteCount: 16)
    }
}
