import AppleIdentity
import Crypto

/// A key that signs client secrets.
public struct SeedKey: Hashable, Sendable {
    /// The team whose key it is.
    public var teamID: TeamID
    /// The key's ten characters.
    public var keyID: KeyID
    /// The primary app for whose group the key was made; nil for a key that serves all of the team.
    ///
    /// Source: [Configuring your environment](https://developer.apple.com/documentation/signinwithapple/configuring-your-environment-for-sign-in-with-apple)
    public var primaryClientID: ClientID?
    /// The public half; nil asks the emulator to make a pair.
    public var publicKeyPEM: String?
    /// The private half, of pairs that the emulator made itself.
    package var privateKeyPEM: String?

    /// Makes a key; without an identifier it gets one, without a public half a pair is made.
    public init(
        teamID: TeamID,
        keyID: KeyID? = nil,
        publicKeyPEM: String? = nil,
        primaryClientID: ClientID? = nil
    ) {
        self.teamID = teamID
        self.keyID = keyID ?? KeyID(RandomText.identifier())
        self.publicKeyPEM = publicKeyPEM
        self.primaryClientID = primaryClientID
    }
}

extension SeedKey {
    /// The longest PEM read; a P-256 public key has below 200.
    private static let maximumPemByteCount = 4_096

    init(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: ["team_id", "key_id", "primary_client_id", "public_key_pem"]
        )
        let keyID = try fields.optionalText("key_id").map { KeyID($0) }
        guard keyID?.isWellFormed != false else {
            throw .wrong("key_id", "must be ten capital letters or digits")
        }
        let pem = try fields.optionalText(
            "public_key_pem",
            maximumByteCount: Self.maximumPemByteCount
        )
        if let pem { try Self.check(pem) }
        self.init(
            teamID: TeamID(try fields.text("team_id")),
            keyID: keyID,
            publicKeyPEM: pem,
            primaryClientID: try fields.optionalText("primary_client_id").map { ClientID($0) }
        )
    }

    private static func check(_ pem: String) throws(ControlRefusal) {
        guard !pem.contains("PRIVATE KEY") else {
            throw .wrong("public_key_pem", "has a private key; give the emulator its public half")
        }
        guard (try? P256.Signing.PublicKey(pemRepresentation: pem)) != nil else {
            throw .wrong("public_key_pem", "is not a PEM public key on P-256")
        }
    }

    /// The key with a public half, made now when there was none.
    package func completed() -> SeedKey {
        guard publicKeyPEM == nil else { return self }
        let pair = P256.Signing.PrivateKey()
        var key = self
        key.publicKeyPEM = pair.publicKey.pemRepresentation
        key.privateKeyPEM = pair.pemRepresentation
        return key
    }

    var object: JSONObject {
        var object: JSONObject = [
            "team_id": .string(teamID.rawValue), "key_id": .string(keyID.rawValue),
        ]
        object["primary_client_id"] = primaryClientID.map { .string($0.rawValue) }
        object["public_key_pem"] = publicKeyPEM.map { .string($0) }
        object["private_key_pem"] = privateKeyPEM.map { .string($0) }
        return object
    }
}
