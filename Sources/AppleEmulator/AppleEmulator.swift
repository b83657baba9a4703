import AppleIdentity
import Foundation
import HTTPTypes

/// An Apple in a box: answers what Apple's service answers, keeps Apple's rules, opens no sockets.
public actor AppleEmulator {
    /// The longest request body that is read, in bytes.
    public static let maximumBodyByteCount = 64 * 1024
    /// The longest path with its query that is read, in bytes.
    public static let maximumTargetByteCount = 64 * 1024
    /// The largest header fields, their names and values together, that are read, in bytes.
    public static let maximumFieldByteCount = 64 * 1024

    /// How this Apple behaves.
    public nonisolated let configuration: EmulatorConfiguration

    let seed: Seed
    /// The machine's clock, or a test's; Apple's is moved from it.
    let time: TimeSource
    /// Rings when a notification may have become due.
    package nonisolated let deliverySignal = Signal()
    private var lastSignalledRevision = 0
    /// Rings when an answer may be there for the server of outgoing mail.
    package nonisolated let mailSignal = Signal()
    private var lastSignalledMailRevision = 0
    /// Whether answers go to a server of outgoing mail.
    var handsMailOn = false
    /// Rings when the state has changed since it was last taken, if it is watched.
    package nonisolated let stateSignal = Signal()
    var isStateWatched = false
    var isStateChanged = false
    /// What rings for each caller that waits for an item of a list.
    var watchers: [UUID: Signal] = [:]
    private var heardListNumbers: [Int] = []
    /// The keys to sign with while they are being made; nil once they are there.
    var keysUnderWay: Task<[EmulatorSigningKey], any Error>?

    var currentState: EmulatorState {
        didSet {
            let revision = currentState.deliveries.revision
            if revision != lastSignalledRevision {
                lastSignalledRevision = revision
                deliverySignal.send()
            }
            let mailRevision = currentState.mail.revision
            if mailRevision != lastSignalledMailRevision {
                lastSignalledMailRevision = mailRevision
                mailSignal.send()
            }
            wakeWatchers()
            if isStateWatched, !isStateChanged {
                isStateChanged = true
                stateSignal.send()
            }
        }
    }

    private func wakeWatchers() {
        guard !watchers.isEmpty, heardListNumbers != currentState.listNumbers else { return }
        heardListNumbers = currentState.listNumbers
        for watcher in watchers.values { watcher.send() }
    }

    /// Makes an Apple with fresh keys and an empty memory.
    ///
    /// The keys are made while it can answer already; what needs them waits for them.
    ///
    /// - Parameters:
    ///   - seed: who and what is registered with it.
    ///   - configuration: how it behaves.
    /// - Throws: ``SeedError`` when entries of the seed contradict each other.
    public init(
        seed: Seed = Seed(),
        configuration: EmulatorConfiguration = EmulatorConfiguration()
    ) async throws {
        try await self.init(seed: seed, configuration: configuration, time: .live)
    }

    /// The same with a clock that tests can move, and with keys from elsewhere.
    package init(
        seed: Seed = Seed(),
        configuration: EmulatorConfiguration = EmulatorConfiguration(),
        time: TimeSource = .live,
        keySource: SigningKeySource = .fresh
    ) async throws {
        var switches = EmulatorSwitches(configuration)
        // Switches that are wrong are refused below.
        try? switches.change(seed.switches)
        let (count, nameLength) = (switches.signingKeyCount, switches.keyNameLength)
        // Begun before all else, and with a lower priority than what answers the first requests.
        let keys = Task(priority: .utility) { try await keySource.keys(count, nameLength) }
        do {
            try self.init(seed: seed, configuration: configuration, time: time, signingKeys: [])
        } catch {
            keys.cancel()
            throw error
        }
        keysUnderWay = keys
    }

    /// Makes an Apple that signs with keys made before, for tests that need many.
    package init(
        seed: Seed,
        configuration: EmulatorConfiguration,
        time: TimeSource,
        signingKeys: [EmulatorSigningKey]
    ) throws {
        var seed = seed
        seed.keys = seed.keys.map { $0.completed() }
        self.seed = seed
        self.configuration = configuration
        self.time = time
        do throws(ControlRefusal) {
            currentState = try EmulatorState(
                seed: seed,
                configuration: configuration,
                signingKeys: SigningKeyRing(signingKeys),
                time: time
            )
        } catch {
            throw SeedError(line: nil, reason: error.message)
        }
    }

    /// Answers a request to Apple's port, as Apple would or as a fault demands.
    ///
    /// - Parameters:
    ///   - request: the request; scheme and authority are the address it came to.
    ///   - body: its body.
    /// - Returns: the answer, and how the wire shall carry it.
    public func respond(to request: HTTPRequest, body: Data) async -> EmulatorAnswer {
        // Discovery is the first that clients ask for, and needs no keys.
        if request.path?.hasPrefix(ApplePath.discovery) != true { await prepareKeys() }
        let answer = currentState.respond(to: request, body: .success(body))
        if currentState.renewsKey { await renewKey() }
        return answer.unsignedToken == nil ? answer : await answer.signed()
    }

    /// Refuses a request that was not read to its end.
    package func refuse(_ request: HTTPRequest, _ problem: RequestProblem) -> EmulatorAnswer {
        currentState.respond(to: request, body: .failure(problem))
    }

    /// Remembers a request that could not be read as HTTP, so that nobody knows what it asked for.
    package func recordUnreadableRequest(_ problem: String) {
        currentState.log.addUnreadable(problem, at: currentState.clock.now)
    }

    /// Answers an authorize request by a decision that counts for this request alone.
    package func respond(
        to request: HTTPRequest,
        deciding object: JSONObject
    ) async throws(ControlRefusal) -> EmulatorAnswer {
        await prepareKeys()
        return try currentState.respond(to: request, deciding: object)
    }

    /// Everything this Apple knows, without passwords and tokens.
    package func state() async -> JSONObject {
        await prepareKeys()
        return currentState.object
    }

    /// Goes back to the seed; the keys Apple signs with stay, as many as the seed says.
    ///
    /// - Throws: ``ControlRefusal`` when a key that is missing can't be made.
    public func reset() async throws {
        await prepareKeys()
        let keys = try await makeMissingKeys(for: currentState.seededSwitches.signingKeyCount)
        var state = try EmulatorState(
            seed: seed,
            configuration: configuration,
            signingKeys: currentState.signingKeys,
            time: time
        )
        // Whoever comes after the reset is nobody who was there before it.
        state.people.lastNumber = max(state.people.lastNumber, currentState.people.lastNumber)
        state.continueNumbers(of: currentState)
        state.signingKeys.resize(to: state.switches.signingKeyCount, adding: keys)
        currentState = state
    }

    package func add(
        _ kind: SeedKind,
        _ object: JSONObject
    ) async throws(ControlRefusal) -> AddOutcome {
        switch kind {
        case .team: return try currentState.registry.add(SeedTeam(object))
        case .key: return try currentState.registry.add(SeedKey(object))
        case .app: return try currentState.add(SeedApp(object))
        case .service: return try currentState.registry.add(SeedService(object))
        case .person:
            let (person, isNew) = try currentState.people.add(SeedPerson(object))
            return AddOutcome(object: person.account.answer, isNew: isNew)
        case .mailSource:
            let teams = currentState.registry.teams
            return try currentState.mail.sources.add(SeedMailSource(object), teams: teams)
        }
    }

    /// Makes what a device would hand to an app when the person agrees.
    package func credentials(
        for email: String,
        _ object: JSONObject
    ) async throws(ControlRefusal) -> JSONObject {
        await prepareKeys()
        return try currentState.credentials(for: email, object)
    }

    /// Tells what a device would: `authorized`, `revoked`, `not_found` or `transferred`.
    ///
    /// - Parameters:
    ///   - email: the person's address.
    ///   - clientID: an app or Services ID.
    /// - Returns: the state's word.
    /// - Throws: ``ControlRefusal`` when either is unknown.
    public func credentialState(
        of email: String,
        clientID: String
    ) throws(ControlRefusal) -> String {
        try numberedCredentialState(of: email, clientID: clientID).rawValue
    }

    /// Gives a person's decision for the next authorize request, which is answered without a page.
    ///
    /// - Parameters:
    ///   - person: the person's address.
    ///   - isContinuing: whether they agree; false presses Cancel.
    ///   - hidesEmail: whether they hide the address, when asked the first time.
    /// - Throws: ``ControlRefusal`` when there is no such person.
    public func decideNext(
        for person: String,
        isContinuing: Bool = true,
        hidesEmail: Bool = false
    ) throws(ControlRefusal) {
        _ = try decideNext([
            "person": .string(person), "decision": isContinuing ? "continue" : "cancel",
            "email": hidesEmail ? "hide" : "share",
        ])
    }

    /// Decides beforehand what the next authorize request comes to; decisions queue.
    package func decideNext(_ object: JSONObject) throws(ControlRefusal) -> JSONObject {
        let decision = try Decision(object, people: currentState.people)
        try currentState.authorizations.add(decision)
        return decision.object
    }

    /// The person stops using Sign in with Apple for an app: tokens end, consent is reset.
    ///
    /// - Parameters:
    ///   - email: the person's address.
    ///   - clientID: any client of the app's group.
    /// - Throws: ``ControlRefusal``.
    public func stopUsing(_ email: String, clientID: String) async throws(ControlRefusal) {
        await prepareKeys()
        try currentState.stopUsing(email, clientID: clientID)
    }

    /// The person turns the forwarding of relayed mail on or off.
    ///
    /// - Parameters:
    ///   - email: the person's address.
    ///   - clientID: any client of the app's group.
    ///   - enabled: whether mail is forwarded.
    /// - Throws: ``ControlRefusal``.
    public func setForwarding(
        _ email: String,
        clientID: String,
        enabled: Bool
    ) async throws(ControlRefusal) {
        await prepareKeys()
        try currentState.setForwarding(email, clientID: clientID, isEnabled: enabled)
    }

    /// The person changes the account's password: browsers are signed out, refresh tokens end.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapplerestapi/verifying-a-user)
    /// for the tokens; nobody knows what else ends, and how soon.
    package func changePassword(of email: String, _ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: ["password", "keep_tokens"])
        let password = try fields.text("password")
        let keepsTokens = try fields.read("keep_tokens", .boolean) ?? false
        let person = try currentState.people.require(email)
        _ = currentState.people.update(person.id) { $0.account.password = password }
        currentState.authorizations.signOut(person.id)
        if !keepsTokens { currentState.grants.endRefreshTokens(of: person.id) }
    }

    /// The person deletes the Apple Account.
    ///
    /// - Parameter email: the person's address.
    /// - Throws: ``ControlRefusal``.
    public func deletePerson(_ email: String) async throws(ControlRefusal) {
        await prepareKeys()
        try currentState.deletePerson(email)
    }

    /// Moves an app to another team; for 60 days its people can be moved after it.
    package func transfer(_ object: JSONObject) throws(ControlRefusal) -> JSONObject {
        try currentState.transfer(object)
    }

    package func rotateSigningKeys(
        _ object: JSONObject
    ) async throws(ControlRefusal) -> JSONObject {
        let fields = try FieldReader(object, known: ["keep_old"])
        let keepsOld = try fields.read("keep_old", .boolean) ?? false
        await prepareKeys()
        let keys = try await makeSigningKeys { $0.switches.signingKeyCount }
        let old = currentState.signingKeys.current
        currentState.signingKeys.rotate(to: keys, keepsOld: keepsOld)
        return [
            "key_ids": .array(keys.map { .string($0.keyID.rawValue) }),
            "old_key_ids": .array(old.map { .string($0.keyID.rawValue) }),
        ]
    }

    package func moveClock(_ object: JSONObject) throws(ControlRefusal) -> JSONObject {
        try currentState.moveClock(object)
        return ["now": .string(currentState.clock.now.formatted(.iso8601))]
    }

    package func addFault(_ object: JSONObject) throws(ControlRefusal) -> JSONObject {
        try currentState.faults.add(Fault(object))
    }

    /// Reads a part of the state, on which the caller then works while the emulator answers others.
    func read<Part: Sendable>(
        _ part: @Sendable (EmulatorState) throws(ControlRefusal) -> Part
    ) throws(ControlRefusal) -> Part {
        try part(currentState)
    }

    /// The faults that requests may still meet, in their order.
    package func faults() -> [JSONObject] { currentState.faults.objects }

    /// Ends all faults.
    public func clearFaults() { currentState.faults.clear() }

    /// The last requests to Apple's port, oldest first, each refusal with its reason.
    package func requests() -> [JSONObject] { currentState.log.objects }
}
