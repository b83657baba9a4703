import AppleIdentity
import Crypto
import Foundation
import SignedTokens
import Synchronization

/// The private key that a developer team made for Sign in with Apple, with the names it goes by.
///
/// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
public struct ClientSecretKey: Sendable {
    /// The longest file looked at, in bytes; Apple's have 257.
    public static let maximumByteCount = 16 * 1024

    /// The key's name at Apple.
    public let keyID: KeyID
    /// The team it belongs to.
    public let teamID: TeamID

    /// Seals what only servers with this key may read again, with a key derived from it.
    package let sealer: TokenSealer

    let signingKey: SigningKey

    /// Reads the file `AuthKey_….p8` that Apple let the team download.
    ///
    /// - Parameters:
    ///   - pem: the file's text.
    ///   - keyID: the key's name at Apple.
    ///   - teamID: the team it belongs to.
    /// - Throws: `client_secret_key_invalid`, the hint saying what the text is instead and what
    ///   helps; it never repeats the text.
    public init(pem: String, keyID: KeyID, teamID: TeamID) throws(SignInError) {
        guard keyID.isWellFormed else {
            throw .unusableKey(
                "the key ID has to be ten capital letters or digits, as in AuthKey_ABC123DEFG.p8"
            )
        }
        guard teamID.isWellFormed else {
            throw .unusableKey(
                "the team ID has to be ten capital letters or digits, as on Apple's membership page"
            )
        }
        self.keyID = keyID
        self.teamID = teamID
        let key = try PrivateKeyFile.read(pem)
        signingKey = SigningKey(key)
        sealer = TokenSealer(derivedFrom: key, name: keyID.rawValue)
    }
}

extension ClientSecretKey: CustomStringConvertible, CustomReflectable {
    /// The names only, so that no log ever shows the key.
    public var description: String { "key \(keyID) of team \(teamID)" }

    /// The names only, so that no dump ever shows the key.
    public var customMirror: Mirror {
        Mirror(self, children: ["keyID": keyID.rawValue, "teamID": teamID.rawValue])
    }
}

extension SignInError {
    static func unusableKey(_ hint: String) -> SignInError {
        SignInError(.clientSecretKeyInvalid, hint: hint)
    }
}

extension ClientSecretKey {
    /// The longest life that Apple accepts for a client secret.
    public static let maximumLifetime = Duration.seconds(15_777_000)
    /// How long the secrets live that the library makes when it needs them.
    package static let usualLifetime = Duration.seconds(600)

    /// Makes a client secret for use outside this library, which makes its own when needed.
    ///
    /// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
    ///
    /// - Parameters:
    ///   - clientID: the bundle identifier or Services ID it speaks for.
    ///   - lifetime: how long it is good for, in whole seconds, at most ``maximumLifetime``.
    /// - Returns: a compact JWS.
    /// - Throws: `configuration_invalid` for a life Apple would refuse.
    public func clientSecret(
        for clientID: ClientID,
        lifetime: Duration = .seconds(600)
    ) throws(SignInError) -> String {
        try clientSecret(
            for: clientID,
            lifetime: lifetime,
            audience: AppleService.appleIssuer,
            at: TimeSource.live.now
        )
    }

    package func clientSecret(
        for clientID: ClientID,
        lifetime: Duration,
        audience: String,
        at now: Date
    ) throws(SignInError) -> String {
        guard (.seconds(1)...Self.maximumLifetime).contains(lifetime) else {
            throw SignInError(
                .configurationInvalid,
                hint: "Apple accepts a client secret's life of 1 to "
                    + "\(Self.maximumLifetime.wholeSeconds) seconds"
            )
        }
        let issuedAt = Int(now.timeIntervalSince1970)
        let header: JSONObject = ["alg": "ES256", "kid": .string(keyID.rawValue)]
        let claims: JSONObject = [
            "iss": .string(teamID.rawValue),
            "iat": .integer(issuedAt),
            "exp": .integer(issuedAt + lifetime.wholeSeconds),
            "aud": .string(audience),
            "sub": .string(clientID.rawValue),
        ]
        guard let secret = try? signingKey.sign(header: header.data, payload: claims.data) else {
            throw .unusableKey("the key could not sign")
        }
        return secret
    }
}

/// Makes client secrets, and keeps each until shortly before it ends.
final class ClientSecretMaker: Sendable {
    /// How long before its end a secret is replaced.
    static let renewalLead = Duration.seconds(60)

    private struct Secret {
        let text: String
        let usableFrom: Date
        let usableUntil: Date
    }

    private let key: ClientSecretKey
    private let audience: String
    private let time: TimeSource
    /// At most one entry for each configured client: the facade asks for no other.
    private let secrets = Mutex<[ClientID: Secret]>([:])

    init(key: ClientSecretKey, audience: String, time: TimeSource) {
        self.key = key
        self.audience = audience
        self.time = time
    }

    func secret(for clientID: ClientID) throws(SignInError) -> String {
        let now = time.now
        let kept = secrets.withLock { $0[clientID] }
        if let kept, kept.usableFrom <= now, now < kept.usableUntil { return kept.text }
        let fresh = try make(for: clientID, at: now)
        secrets.withLock { $0[clientID] = fresh }
        return fresh.text
    }

    private func make(for clientID: ClientID, at now: Date) throws(SignInError) -> Secret {
        let text = try key.clientSecret(
            for: clientID,
            lifetime: ClientSecretKey.usualLifetime,
            audience: audience,
            at: now
        )
        return Secret(
            text: text,
            usableFrom: now,
            usableUntil: now + (ClientSecretKey.usualLifetime - Self.renewalLead) / .seconds(1)
        )
    }
}
