import AppleIdentity
import Crypto
import Foundation

/// Support for worlds: several emulators at one port, each an isolated copy of the state.
extension AppleEmulator {
    /// Creates an emulator with the same seed and signing keys, and nothing else in common.
    ///
    /// Its user identifiers and relay addresses are its own. They are the same in each run if this
    /// emulator's are.
    package func makeWorld(_ name: WorldName) async throws -> AppleEmulator {
        await prepareKeys()
        var configuration = configuration
        configuration.world = name
        configuration.identifierKey = configuration.identifierKey.map { key in
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("world|\(name.text)".utf8),
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

    /// Whether the relay address exists here.
    package func hasRelayAddress(_ address: MailAddress) -> Bool {
        currentState.people.person(relayAddress: address.text) != nil
    }
}

/// The name of a world, which is a part of its paths and the user name of its mail.
package struct WorldName: Hashable, Sendable {
    /// The beginning of the paths of all worlds.
    package static let root = "/w/"
    package static let maximumCharacterCount = 64
    package static let pattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,\(maximumCharacterCount - 1)}$"

    package let text: String

    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumCharacterCount,
            text.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._\-]*/) != nil
        else { return nil }
        self.text = text
    }

    /// Reads the name in the body of a request; a random one if there is none.
    package init(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: ["world"])
        let sent = try fields.read("world", .text)
        guard let name = WorldName(sent ?? RandomText.uuidHexadecimal()) else {
            throw .wrong(
                "world",
                "must have 1 to \(Self.maximumCharacterCount) letters, digits, dots, underscores or"
                    + " hyphens, and begin with a letter or digit"
            )
        }
        self = name
    }

    package var path: String { Self.root + text }
}
