import AppleIdentity
import Foundation

extension AppleEmulator {
    /// The maximum size of an exported state, in bytes: 512 MiB.
    public static let maximumStateByteCount = StateDocument.maximumByteCount

    /// Creates an emulator from an exported state.
    ///
    /// It restores people, consents, codes, tokens, transfers, signing keys, the clock's offset,
    /// notifications, mail, faults and switches. The request log is empty, and open sheets are
    /// closed. A reset restores the seed instead.
    ///
    /// - Parameters:
    ///   - state: the result of ``exported()``, of this version or an older one.
    ///   - seed: the registrations after a reset.
    ///   - configuration: the configuration; the state replaces its issuer, `identityTokenSeconds`
    ///     and `signingKeyCount`.
    /// - Throws: ``SeedError`` if the state or the seed is invalid, with the reason and, if known,
    ///   the line.
    public init(
        importing state: Data,
        seed: Seed = Seed(),
        configuration: EmulatorConfiguration = EmulatorConfiguration()
    ) async throws {
        try await self.init(importing: state, seed: seed, configuration: configuration, time: .live)
    }

    /// Creates an emulator from an exported state with another clock, for tests.
    package init(
        importing state: Data,
        seed: Seed = Seed(),
        configuration: EmulatorConfiguration = EmulatorConfiguration(),
        time: TimeSource
    ) async throws {
        let document = try await Self.read(state)
        try self.init(
            seed: try document.completing(seed),
            configuration: configuration,
            time: time,
            signingKeys: []
        )
        do throws(ControlRefusal) {
            currentState = try currentState.restored(from: document)
        } catch {
            throw SeedError(line: nil, reason: error.message)
        }
    }

    /// Exports the complete state, which an emulator can import.
    ///
    /// It contains passwords, tokens and private keys in plain text.
    ///
    /// - Returns: a JSON document that begins with `format` and `version`.
    public func exported() async -> Data {
        await prepareKeys()
        return await Self.write(currentState)
    }

    /// Replaces the state by an exported one.
    ///
    /// - Parameter state: the result of ``exported()``.
    /// - Throws: ``ControlRefusal`` with the invalid entry and field; the state is then unchanged.
    public func importState(_ state: Data) async throws(ControlRefusal) {
        let document: StateDocument
        do throws(SeedError) {
            document = try await Self.read(state)
        } catch {
            throw ControlRefusal(kind: .malformed, message: "the state can't be used: \(error)")
        }
        await prepareKeys()
        var state = try currentState.restored(from: document)
        state.continueNumbers(of: currentState)
        currentState = state
        // Pending notifications and mail of the state may be due.
        deliverySignal.send()
        mailSignal.send()
    }

    /// Enables ``stateSignal``; without it, changes cost nothing.
    package func watchState() { isStateWatched = true }

    /// The state for the data folder, without ``StateSection/exportedOnly``; the next change
    /// signals again.
    package func takeState() async -> Data {
        await prepareKeys()
        isStateChanged = false
        return await Self.write(currentState, without: StateSection.exportedOnly)
    }

    /// The private key of a client secret's key, of a pair that the emulator generated.
    package func privateKeyPEM(of keyID: KeyID) -> String? {
        currentState.registry.keys[keyID]?.privateKeyPEM
    }

    /// Replaces the redirect URIs and notification URLs by those of a seed.
    package func takeAddresses(of seed: Seed) { currentState.registry.takeAddresses(of: seed) }

    package func hasPerson(_ email: String) -> Bool {
        currentState.people.person(email: email) != nil
    }

    /// Parses a document outside of the actor.
    @concurrent private static func read(_ data: Data) async throws(SeedError) -> StateDocument {
        try StateDocument(parsing: data)
    }

    /// Writes a document outside of the actor.
    @concurrent private static func write(
        _ state: EmulatorState,
        without names: Set<String> = []
    ) async -> Data { state.document(without: names).data }
}

extension StateDocument {
    /// The seed, whose missing key pairs are those generated for it before.
    fileprivate func completing(_ seed: Seed) throws(SeedError) -> Seed {
        var made: [KeyID: SeedKey] = [:]
        do throws(ControlRefusal) {
            _ = try self["keys"]?.entries(named: "keys") { object in
                let key = try SeedKey.keptSchema.read(object, StateReferences())
                if key.privateKeyPEM != nil { made[key.keyID] = key }
            }
        } catch {
            throw SeedError(line: nil, reason: error.message)
        }
        var completed = seed
        completed.keys = seed.keys.map { key in
            guard key.publicKeyPEM == nil, let known = made[key.keyID], known.teamID == key.teamID
            else { return key }
            return known
        }
        return completed
    }
}
