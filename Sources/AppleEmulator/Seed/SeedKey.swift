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

extension SeedKey: SchemaObject {
    static let schema = Schema(
        SeedKey(teamID: ""),
        .required("team_id", \.teamID, .identifier),
        .usual(
            "key_id",
            \.keyID,
            .identifier.checked("must be ten capital letters or digits", \.isWellFormed)
        ),
        .optional("primary_client_id", \.primaryClientID, .identifier),
        .optional("public_key_pem", \.publicKeyPEM, .publicKey)
    )
    /// The key as it is kept, with the private half of a pair that an emulator made.
    static let keptSchema = schema.adding(.optional("private_key_pem", \.privateKeyPEM, .text))

    /// The key with a public half, made now when there was none.
    package func completed() -> SeedKey {
        guard publicKeyPEM == nil else { return self }
        let pair = P256.Signing.PrivateKey()
        var key = self
        key.publicKeyPEM = pair.publicKey.pemRepresentation
        key.privateKeyPEM = pair.pemRepresentation
        return key
    }

    /// Whether a private half belongs to the public one.
    var isPair: Bool {
        guard let privateKeyPEM, let publicKeyPEM,
            let pair = try? P256.Signing.PrivateKey(pemRepresentation: privateKeyPEM),
            let half = try? P256.Signing.PublicKey(pemRepresentation: publicKeyPEM)
        else { return false }
        return pair.publicKey.rawRepresentation == half.rawRepresentation
    }

    var object: JSONObject { Self.keptSchema.write(self) }
}

extension ValueForm<String> {
    private static let maximumByteCount = 4_096

    fileprivate static var publicKey: ValueForm {
        text(maximumByteCount: maximumByteCount)
            .checked("has a private key; give the emulator its public half") {
                !$0.contains("PRIVATE KEY")
            }
            .checked("is not a PEM public key on P-256") {
                (try? P256.Signing.PublicKey(pemRepresentation: $0)) != nil
            }
    }
}
