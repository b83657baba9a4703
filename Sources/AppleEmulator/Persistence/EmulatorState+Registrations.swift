import AppleIdentity
import Crypto
import CryptoExtras

extension EmulatorState {
    func writeRegistrations(to document: inout StateDocument) {
        document["signing_keys"] = .array(
            signingKeys.current.map { .object($0.document(signs: true)) }
                + signingKeys.retained.map { .object($0.document(signs: false)) }
        )
        document["teams"] = Self.sorted(registry.teams.values.map(\.object), by: "team_id")
        document["apps"] = Self.sorted(registry.apps.values.map(\.object), by: "client_id")
        document["services"] = Self.sorted(registry.services.values.map(\.object), by: "client_id")
        document["keys"] = Self.sorted(registry.keys.values.map(\.object), by: "key_id")
        document["mail_sources"] = .array(mail.sources.all.map { .object($0.object) })
    }

    mutating func readRegistrations(_ document: StateDocument) throws(ControlRefusal) {
        try document.each("teams") { object throws(ControlRefusal) in
            guard try registry.add(SeedTeam(object)).isNew else { throw .twice("team_id") }
        }
        // Others are grouped under primary apps, which must be there first.
        for isPrimary in [true, false] {
            try document.each("apps") { object throws(ControlRefusal) in
                let app = try SeedApp(object)
                guard (app.primaryClientID == nil) == isPrimary else { return }
                guard try add(app).isNew else { throw .twice("client_id") }
            }
        }
        try document.each("services") { object throws(ControlRefusal) in
            guard try registry.add(SeedService(object)).isNew else { throw .twice("client_id") }
        }
        try document.each("keys") { object throws(ControlRefusal) in
            let key = try SeedKey(restoring: object)
            guard registry.keys[key.keyID] == nil else { throw .twice("key_id") }
            if let app = key.primaryClientID, registry.apps[app] == nil {
                throw .wrong("primary_client_id", "names no registered app")
            }
            _ = try registry.keep(key)
        }
        try document.each("mail_sources") { object throws(ControlRefusal) in
            _ = try mail.sources.add(SeedMailSource(object), teams: registry.teams)
        }
    }

    private static func sorted(_ objects: [JSONObject], by name: String) -> JSONValue {
        .array(
            objects.sorted { ($0[name]?.stringValue ?? "") < ($1[name]?.stringValue ?? "") }
                .map { .object($0) }
        )
    }
}

extension ControlRefusal {
    static func twice(_ field: String) -> ControlRefusal { .wrong(field, "is there twice") }
}

extension SeedKey {
    /// Reads a key with the private half of a pair that an emulator made.
    init(restoring object: JSONObject) throws(ControlRefusal) {
        var registered = object
        let rest = registered.extract(["private_key_pem"])
        try self.init(registered)
        guard publicKeyPEM != nil else { throw .wrong("public_key_pem", "is missing") }
        let field = "private_key_pem"
        guard let pem = try FieldReader(rest, known: [field]).optionalText(field) else { return }
        guard let pair = try? P256.Signing.PrivateKey(pemRepresentation: pem),
            let half = try? publicKeyPEM.map(P256.Signing.PublicKey.init(pemRepresentation:)),
            pair.publicKey.rawRepresentation == half.rawRepresentation
        else { throw .wrong(field, "is not the private half of public_key_pem") }
        privateKeyPEM = pem
    }
}

extension EmulatorSigningKey {
    /// The longest PEM of a private key, in bytes; one of 2048 bits has 1700.
    private static let maximumPemByteCount = 8 * 1024

    fileprivate func document(signs: Bool) -> JSONObject {
        [
            "key_id": .string(keyID.rawValue), "signs": .boolean(signs),
            "private_key_pem": .string(privateKeyPEM),
        ]
    }

    fileprivate init(_ fields: FieldReader) throws(ControlRefusal) {
        let field = "private_key_pem"
        let pem = try fields.text(field, maximumByteCount: Self.maximumPemByteCount)
        guard let pair = try? _RSA.Signing.PrivateKey(pemRepresentation: pem),
            pair.keySizeInBits == 2_048,
            let key = try? EmulatorSigningKey(pair, keyID: KeyID(fields.text("key_id")))
        else { throw .wrong(field, "is not a PEM private RSA key of 2048 bits") }
        self = key
    }
}

extension SigningKeyRing {
    init(_ document: StateDocument) throws(ControlRefusal) {
        var signing: [EmulatorSigningKey] = []
        var retained: [EmulatorSigningKey] = []
        try document.each("signing_keys") { object throws(ControlRefusal) in
            let fields = try FieldReader(object, known: ["key_id", "signs", "private_key_pem"])
            let key = try EmulatorSigningKey(fields)
            guard !(signing + retained).contains(where: { $0.keyID == key.keyID }) else {
                throw .twice("key_id")
            }
            if try fields.boolean("signs", default: true) {
                signing.append(key)
            } else {
                retained.append(key)
            }
        }
        guard !signing.isEmpty else {
            throw .wrong("signing_keys", "has no key that signs")
        }
        guard signing.count <= 8, retained.count <= Self.maximumRetainedCount else {
            throw .wrong(
                "signing_keys",
                "has more than 8 that sign, or more old ones than are kept"
            )
        }
        self.init(signing, retaining: retained)
    }
}
