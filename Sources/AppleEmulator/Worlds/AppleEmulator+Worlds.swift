import AppleIdentity
import Crypto
import Foundation

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

    /// The keys that are published here.
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
