import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignedTokens

/// What lets several emulators answer at one port, each a world of its own.
extension AppleEmulator {
    /// Makes another Apple from the same seed, which signs with the same keys and shares nothing else.
    ///
    /// People's identifiers and relay addresses are its own, and the same at each start where this
    /// Apple's are.
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
        // As many keys as the seed says, whatever was switched here meanwhile.
        try await world.reset()
        return world
    }

    /// Whether a sign-in that a form carries on began here.
    package func hasBegun(_ marks: RequestMarks) -> Bool {
        marks.transaction.map { currentState.authorizations.transactions[$0] != nil } ?? false
    }

    /// Whether the client, and the key of its secret, are registered here.
    package func hasRegistered(_ marks: RequestMarks) -> Bool {
        let registry = currentState.registry
        if let keyID = marks.keyID, registry.keys[keyID] == nil { return false }
        guard let clientID = marks.clientID else { return marks.keyID != nil }
        return registry.client(clientID) != nil
    }

    /// Whether somebody has this relay address here.
    package func hasRelayAddress(_ address: MailAddress) -> Bool {
        currentState.people.person(relayAddress: address.text) != nil
    }

    package func publishedKeys() async -> [EmulatorSigningKey] {
        await prepareKeys()
        return currentState.signingKeys.current + currentState.signingKeys.retained
    }

    /// Publishes the keys of other worlds too, for clients that can't say which world they ask.
    package func publishAlso(_ keys: [EmulatorSigningKey]) {
        guard keys.map(\.keyID) != currentState.otherWorldsKeys.map(\.keyID) else { return }
        currentState.otherWorldsKeys = keys
    }
}

/// What in a request to Apple's port tells whose it is, though it names no world.
package struct RequestMarks: Sendable {
    /// The tags of its code and tokens.
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

    /// A form's fields; nil when it can't be read, which Apple's own rules then refuse.
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

/// What tells the codes and tokens of one world from those of every other.
///
/// It stands in place of eight random digits, so that codes and tokens look as they always do, and
/// is found in those too that are spent, ended or forgotten.
package struct WorldTag: Hashable, Sendable {
    /// The digits of a token that are the tag: the last of its UUID.
    private static let digits = 25..<33

    let text: String

    package static func random() -> WorldTag {
        WorldTag(text: String(RandomText.uuidHexadecimal().suffix(digits.count)))
    }

    private init(text: String) { self.text = text }

    /// The tag of a code or token; nil for what has not their form.
    init?(of token: String) {
        let bytes = Array(token.utf8)
        guard bytes.count > Self.digits.upperBound,
            bytes[Self.digits.upperBound] == UInt8(ascii: ".")
        else { return nil }
        text = String(decoding: bytes[Self.digits], as: UTF8.self)
    }

    /// A UUID without dashes that ends with the tag.
    func marking(_ uuid: String) -> String { String(uuid.dropLast(Self.digits.count)) + text }
}
