import AppleIdentity
import Foundation

extension AppleEmulator {
    /// The longest exported state that is read, in bytes: 512 MiB.
    public static let maximumStateByteCount = StateDocument.maximumByteCount

    /// Makes an Apple that goes on where another one was exported.
    ///
    /// People, consents, codes, tokens, transfers, Apple's keys, the offset of its clock,
    /// notifications, mail, faults and switches are as they were. The log of requests is empty,
    /// and sheets that were open are gone. A reset goes back to the seed.
    ///
    /// - Parameters:
    ///   - state: what ``exported()`` made, by this version or an older one.
    ///   - seed: who and what is registered after a reset.
    ///   - configuration: how it behaves; none of it is in the state but the switches' values.
    /// - Throws: ``SeedError`` when the state or the seed can't be used: where, and why.
    public init(
        importing state: Data,
        seed: Seed = Seed(),
        configuration: EmulatorConfiguration = EmulatorConfiguration()
    ) async throws {
        try await self.init(importing: state, seed: seed, configuration: configuration, time: .live)
    }

    /// The same with a clock that tests can move.
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

    /// All that this Apple knows, to be imported by another one or by itself later.
    ///
    /// It holds passwords, tokens and private keys as they are.
    ///
    /// - Returns: a JSON document that begins with `format` and `version`.
    public func exported() async -> Data {
        await prepareKeys()
        return await Self.write(currentState)
    }

    /// Goes on where another Apple was exported, instead of here.
    ///
    /// - Parameter state: what ``exported()`` made.
    /// - Throws: ``ControlRefusal`` naming the entry and field that is wrong; nothing has changed then.
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
        // Whatever waits in it may be due.
        deliverySignal.send()
        mailSignal.send()
    }

    /// Has ``stateSignal`` ring from here on; before, changes cost nothing.
    package func watchState() { isStateWatched = true }

    /// The state as ``exported()`` tells it; the next change rings again.
    package func takeState() async -> Data {
        await prepareKeys()
        isStateChanged = false
        return await Self.write(currentState)
    }

    /// The private half of a key for client secrets, of a pair that this emulator made.
    package func privateKeyPEM(of keyID: KeyID) -> String? {
        currentState.registry.keys[keyID]?.privateKeyPEM
    }

    /// Sends answers and notifications to where a seed says that its apps are reached by now.
    package func takeAddresses(of seed: Seed) { currentState.registry.takeAddresses(of: seed) }

    package func hasPerson(_ email: String) -> Bool {
        currentState.people.person(email: email) != nil
    }

    /// Reads a document beside whatever else goes on.
    @concurrent private static func read(_ data: Data) async throws(SeedError) -> StateDocument {
        try StateDocument(parsing: data)
    }

    /// Writes a document beside whatever else goes on.
    @concurrent
    private static func write(_ state: EmulatorState) async -> Data { state.document.data }
}

extension StateDocument {
    /// A seed whose keys without a public half are the pairs that were made for it before.
    fileprivate func completing(_ seed: Seed) throws(SeedError) -> Seed {
        var made: [KeyID: SeedKey] = [:]
        do throws(ControlRefusal) {
            _ = try self["keys"]?.entries(named: "keys") { object throws(ControlRefusal) in
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
