import AppleIdentity
import Crypto
import OpenAPIDescription

/// A key for client secrets.
public struct SeedKey: Hashable, Sendable {
    /// The team to which the key belongs.
    public var teamID: TeamID
    /// The Key ID, ten capital letters or digits.
    public var keyID: KeyID
    /// The primary app for which the key is enabled; nil enables it for all apps of the team.
    ///
    /// Source: [Configuring your environment](https://developer.apple.com/documentation/signinwithapple/configuring-your-environment-for-sign-in-with-apple)
    public var primaryClientID: ClientID?
    /// The public key, PEM on P-256; nil generates a key pair.
    public var publicKeyPEM: String?
    /// The private key of a pair that the emulator generated.
    package var privateKeyPEM: String?

    /// Creates a key; a missing Key ID or key pair is generated.
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
    static let schema = ObjectSchema(
        SeedKey(teamID: ""),
        .required("team_id", \.teamID, .identifier),
        .usual(
            "key_id",
            \.keyID,
            .identifier.checked("must be ten capital letters or digits", .tenSigns, \.isWellFormed)
        ),
        .optional("primary_client_id", \.primaryClientID, .identifier),
        .optional("public_key_pem", \.publicKeyPEM, .publicKey)
    )
    /// The form in a state, with the private key of a pair that the emulator generated.
    static let keptSchema = schema.adding(.optional("private_key_pem", \.privateKeyPEM, .text))

    /// The key, with a new pair if it has no public key.
    package func completed() -> SeedKey {
        guard publicKeyPEM == nil else { return self }
        let pair = P256.Signing.PrivateKey()
        var key = self
        key.publicKeyPEM = pair.publicKey.pemRepresentation
        key.privateKeyPEM = pair.pemRepresentation
        return key
    }

    /// Whether the private key matches the public key.
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
    private static let maximumCount = 4_096

    fileprivate static var publicKey: ValueForm {
        text(maximumCount: maximumCount)
            .checked("has a private key; use the public key") { !$0.contains("PRIVATE KEY") }
            .checked(
                "is not a PEM public key on P-256",
                .text("A PEM public key on P-256.", lengths: 1...maximumCount)
            ) { (try? P256.Signing.PublicKey(pemRepresentation: $0)) != nil }
    }
}
