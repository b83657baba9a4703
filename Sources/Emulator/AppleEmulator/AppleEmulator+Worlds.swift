import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignedTokens

/// Support for worlds: several emulators at one port, each an isolated copy of the state.
extension AppleEmulator {
    /// Creates an emulator with the same seed and signing keys, and nothing else in common.
    ///
    /// Its user identifiers and relay addresses are its own. They are the same in each run if this
    /// emulator's are.
    package func makeWorld(_ name: String, tag: WorldTag) async throws -> AppleEmulator {
        await prepareKeys()
        var configuration = configuration
        configuration.worldTag = tag
        configuration.identifierKey = configuration.identifierKey.map { key in
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("world|\(name)".utf8),
                using: SymmetricKey(data: key)
            )
            return Data(code)
        }
        let world = try AppleEmulator(
            seed: seed,
            configuration: configuration,
            time: time,
            signingKeys: currentState.signingKeys.current
        )
        if handsMailOn { await world.handMailOn() }
        // Switches may have changed the number of keys here; the world has the seed's number.
        try await world.reset()
        return world
    }

    /// Whether a form's sign-in began here.
    package func hasBegun(_ marks: RequestMarks) -> Bool {
        marks.transaction.map { currentState.authorizations.transactions[$0] != nil } ?? false
    }

    /// Whether the client and the key of its secret are registered here.
    package func hasRegistered(_ marks: RequestMarks) -> Bool {
        let registry = currentState.registry
        if let keyID = marks.keyID, registry.keys[keyID] == nil { return false }
        guard let clientID = marks.clientID else { return marks.keyID != nil }
        return registry.client(clientID) != nil
    }

    /// Whether the relay address exists here.
    package func hasRelayAddress(_ address: MailAddress) -> Bool {
        currentState.people.person(relayAddress: address.text) != nil
    }

    package func publishedKeys() async -> [EmulatorSigningKey] {
        await prepareKeys()
        return currentState.signingKeys.current + currentState.signingKeys.retained
    }

    /// Publishes other worlds' keys too, for clients that cannot name a world.
    package func publishAlso(_ keys: [EmulatorSigningKey]) {
        guard keys.map(\.keyID) != currentState.otherWorldsKeys.map(\.keyID) else { return }
        currentState.otherWorldsKeys = keys
    }
}

/// The values in a request that identify its world, if it does not name one.
package struct RequestMarks: Sendable {
    /// The tags of its codes and tokens.
    package let tags: [WorldTag]
    let transaction: String?
    let keyID: KeyID?
    let clientID: ClientID?

    package init(_ request: HTTPRequest, body: Data) {
        let target = (request.path ?? "").split(separator: "?", maxSplits: 1)
        let query = Self.fields(target.count > 1 ? Array(target[1].utf8) : [])
        let form = Self.fields(Array(body))
        let bearer = (request.headerFields[.authorization] ?? "").split(separator: " ").last
        let tokens =
            ["code", "refresh_token", "token"].map { form?[$0] } + [bearer.map(String.init)]
        tags = tokens.compactMap { $0.flatMap(WorldTag.init(of:)) }
        transaction = form?["transaction"]
        keyID = form?["client_secret"].flatMap(Self.keyID)
        clientID = (form?["client_id"] ?? query?["client_id"]).map { ClientID($0) }
    }

    /// A form's fields; nil if it is invalid, which Apple's rules then refuse.
    private static func fields(_ bytes: [UInt8]) -> FormFields? {
        guard bytes.count <= AppleEmulator.maximumBodyByteCount else { return nil }
        return try? FormFields(parsing: bytes)
    }

    private static func keyID(of secret: String) -> KeyID? {
        guard let header = secret.split(separator: ".").first,
            let data = Base64URL.decode(String(header)),
            let name = (try? JSONObject(parsing: data))?["kid"]?.stringValue
        else { return nil }
        return KeyID(rawValue: name)
    }
}

/// The mark of a world in its codes and tokens.
///
/// It replaces eight random digits, so codes and tokens keep their format. It also identifies
/// codes and tokens that are used, revoked or no longer stored.
package struct WorldTag: Hashable, Sendable {
    /// The position of the tag in a token: the last digits of its UUID.
    private static let digits = 25..<33

    let text: String

    package static func random() -> WorldTag {
        WorldTag(text: String(RandomText.uuidHexadecimal().suffix(digits.count)))
    }

    private init(text: String) { self.text = text }

    /// The tag of a code or token; nil for another format.
    init?(of token: String) {
        let bytes = Array(token.utf8)
        guard bytes.count > Self.digits.upperBound,
            bytes[Self.digits.upperBound] == UInt8(ascii: ".")
        else { return nil }
        text = String(decoding: bytes[Self.digits], as: UTF8.self)
    }

    /// Replaces the end of a UUID without hyphens by the tag.
    func marking(_ uuid: String) -> String { String(uuid.dropLast(Self.digits.count)) + text }
}
