import AppleIdentity
import Crypto
import Foundation
import SignedTokens

/// A team's private key for Sign in with Apple, with its key ID and team ID.
///
/// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
public struct ClientSecretKey: Sendable {
    /// The maximum size of the key file, in bytes; Apple's files have 257.
    package static let maximumByteCount = 16 * 1024

    /// The key ID at Apple: ten capital letters or digits.
    public let keyID: KeyID
    /// The ID of the team that owns the key: ten capital letters or digits.
    public let teamID: TeamID

    /// Encrypts with a key derived from this one, for servers that have it.
    package let sealer: TokenSealer

    let signingKey: SigningKey

    /// Reads the file `AuthKey_….p8` that the team downloaded from Apple.
    ///
    /// - Parameters:
    ///   - pem: the content of the file.
    ///   - keyID: the key ID at Apple, as in the file's name.
    ///   - teamID: the ID of the team that owns the key.
    /// - Throws: `client_secret_key_invalid`; its hint says what is wrong and how to fix it, and
    ///   never repeats the content.
    public init(pem: String, keyID: KeyID, teamID: TeamID) throws(SignInError) {
        guard keyID.isWellFormed else {
            throw .unusableKey(
                "the key ID must be ten capital letters or digits, as in AuthKey_ABC123DEFG.p8"
            )
        }
        guard teamID.isWellFormed else {
            throw .unusableKey(
                "the team ID must be ten capital letters or digits, as on Apple's membership page"
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
    /// The key ID and the team ID only: no log shows the key.
    public var description: String { "key \(keyID) of team \(teamID)" }

    /// The key ID and the team ID only: no dump shows the key.
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
    /// The maximum lifetime of a client secret at Apple: 15 777 000 seconds, about six months.
    package static let maximumLifetime = Duration.seconds(15_777_000)
    /// How far `iat` is set back, in seconds: Apple is reported to refuse a secret from a clock that is slightly ahead.
    private static let earlierSeconds = 60
    /// The lifetime of the secrets that the library creates.
    package static let usualLifetime = Duration.seconds(600)

    /// Creates a client secret for your own requests; ``AppleSignIn`` creates its own.
    ///
    /// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
    ///
    /// - Parameters:
    ///   - clientID: the bundle identifier or Services ID of the client.
    ///   - lifetime: the lifetime from now in whole seconds, from 1 second to about six months (15 777 000 seconds).
    /// - Returns: a compact JWS, signed with ES256; its `iat` is up to 60 seconds in the past.
    /// - Throws: `configuration_invalid` if the lifetime is out of range, and
    ///   `client_secret_key_invalid` if the key cannot sign.
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
                hint: "the lifetime of a client secret must be 1 to "
                    + "\(Self.maximumLifetime.wholeSeconds) seconds"
            )
        }
        let now = Int(now.timeIntervalSince1970)
        let end = now + lifetime.wholeSeconds
        let start = max(now - Self.earlierSeconds, end - Self.maximumLifetime.wholeSeconds)
        let header: JSONObject = ["alg": "ES256", "kid": .string(keyID.rawValue)]
        let claims: JSONObject = [
            "iss": .string(teamID.rawValue),
            "iat": .integer(start),
            "exp": .integer(end),
            "aud": .string(audience),
            "sub": .string(clientID.rawValue),
        ]
        guard let secret = try? signingKey.sign(header: header.data, payload: claims.data) else {
            throw .unusableKey("signing failed; check that the .p8 file is intact")
        }
        return secret
    }
}

/// Creates client secrets, and caches each until shortly before it expires.
final class ClientSecretMaker: Sendable {
    /// How long before its expiration a secret is replaced.
    static let renewalLead = Duration.seconds(60)

    private struct Secret {
        let text: String
        let usableFrom: Date
        let usableUntil: Date
    }

    private let key: ClientSecretKey
    private let audience: String
    private let time: TimeSource
    /// At most one entry for each configured client: no other is requested.
    private let secrets = LockedValue<[ClientID: Secret]>([:])

    init(key: ClientSecretKey, audience: String, time: TimeSource) {
        self.key = key
        self.audience = audience
        self.time = time
    }

    func secret(for clientID: ClientID) throws(SignInError) -> String {
        let now = time.now
        let cached = secrets.withLock { $0[clientID] }
        if let cached, cached.usableFrom <= now, now < cached.usableUntil { return cached.text }
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
