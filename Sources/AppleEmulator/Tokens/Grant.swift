import AppleIdentity
import Foundation

/// What a code or token stands for: a person, for a client.
struct Grant: Hashable {
    var personID: PersonID = PersonID.nobody
    var clientID: ClientID = ""
    var group: ClientID = ""
    var teamID: TeamID = ""
    var nonce: String?
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

/// Every code and token that Apple gave out and still knows.
struct GrantStore {
    static let maximumCodeCount = 20_000
    static let maximumTokenCount = 100_000

    var codes = BoundedTable<AuthorizationCode>(maximumCount: maximumCodeCount)
    var accessTokens = BoundedTable<AccessToken>(maximumCount: maximumTokenCount)
    var refreshTokens = BoundedTable<Grant>(maximumCount: maximumTokenCount)

    mutating func useCode(_ text: String, for tokens: [String]) {
        codes.update(text) { code in
            code.isUsed = true
            code.tokens = tokens
        }
    }

    mutating func endTokens(of code: AuthorizationCode) {
        for token in code.tokens {
            accessTokens.remove(token)
            refreshTokens.remove(token)
        }
    }

    /// Ends the refresh tokens that a person gave a client.
    mutating func endRefreshTokens(like grant: Grant) {
        refreshTokens.removeAll { $0.personID == grant.personID && $0.clientID == grant.clientID }
    }

    /// Ends the refresh tokens that a person gave anybody.
    mutating func endRefreshTokens(of personID: PersonID) {
        refreshTokens.removeAll { $0.personID == personID }
    }

    mutating func addAccessToken(_ grant: Grant, at time: Date, _ tag: WorldTag?) -> String {
        accessTokens.add(AccessToken(grant: grant, issuedAt: time), as: TokenText.accessToken(tag))
    }

    /// Ends all that a person gave an app group.
    mutating func end(personID: PersonID, group: ClientID) {
        end { $0.personID == personID && $0.group == group }
    }

    /// Ends all that a person gave anybody.
    mutating func end(personID: PersonID) { end { $0.personID == personID } }

    /// Forgets codes and access tokens made after a time, which the clock was moved back to.
    mutating func forget(after time: Date) {
        codes.removeAll { $0.issuedAt > time }
        accessTokens.removeAll { $0.issuedAt > time }
    }

    mutating func changeGrants(_ change: (inout Grant) -> Void) {
        codes.updateAll { change(&$0.grant) }
        accessTokens.updateAll { change(&$0.grant) }
        refreshTokens.updateAll(change)
    }

    private mutating func end(_ isEnding: (Grant) -> Bool) {
        codes.removeAll { isEnding($0.grant) }
        accessTokens.removeAll { isEnding($0.grant) }
        refreshTokens.removeAll(where: isEnding)
    }
}
