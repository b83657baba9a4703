import AppleIdentity
import Foundation
import HTTPTypes

/// An emulator of Apple's Sign in with Apple service, without sockets.
///
/// It handles requests to Apple's endpoints according to Apple's rules, and returns Apple's responses.
public actor AppleEmulator {
    /// The maximum size of a request body, in bytes.
    public static let maximumBodyByteCount = 64 * 1024
    /// The maximum size of a request's path and query, in bytes.
    public static let maximumTargetByteCount = 64 * 1024
    /// The maximum size of a request's header fields, names and values together, in bytes.
    public static let maximumFieldByteCount = 64 * 1024

    /// The configuration.
    public nonisolated let configuration: EmulatorConfiguration

    let seed: Seed
    /// The machine's clock, or a test's clock; the emulator's clock is an offset to it.
    let time: TimeSource
    /// Signals that a notification may be due.
    package nonisolated let deliverySignal = Signal()
    private var lastSignalledRevision = 0
    private nonisolated let shownOffset = LockedValue<TimeInterval>(0)
    /// Signals that a reply may be ready for the SMTP server of outgoing mail.
    package nonisolated let mailSignal = Signal()
    private var lastSignalledMailRevision = 0
    /// Whether replies are sent through an SMTP server.
    var handsMailOn = false
    /// Signals that the watched state has changed since it was last saved.
    package nonisolated let stateSignal = Signal()
    var isStateWatched = false
    var isStateChanged = false
    /// One signal for each caller that waits for an item of a list.
    var watchers: [UUID: Signal] = [:]
    private var heardListNumbers: [Int] = []
    /// The task that generates the signing keys; nil when they are generated.
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
            shownOffset.withLock { $0 = currentState.clock.offset }
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

    /// Creates an emulator with new signing keys and the registrations of a seed.
    ///
    /// The keys are generated in the background. Requests that need them wait.
    ///
    /// - Parameters:
    ///   - seed: the registrations.
    ///   - configuration: the configuration.
    /// - Throws: ``SeedError`` if entries of the seed are invalid or contradict each other.
    public init(
        seed: Seed = Seed(),
        configuration: EmulatorConfiguration = EmulatorConfiguration()
    ) async throws {
        try await self.init(seed: seed, configuration: configuration, time: .live)
    }

    /// Creates an emulator with another clock and another source of signing keys, for tests.
    package init(
        seed: Seed = Seed(),
        configuration: EmulatorConfiguration = EmulatorConfiguration(),
        time: TimeSource = .live,
        keySource: SigningKeySource = .fresh
    ) async throws {
        var switches = EmulatorSwitches(configuration)
        // The initializer below throws for invalid switches.
        try? switches.change(seed.switches)
        let (count, nameLength) = (switches.signingKeyCount, switches.keyNameLength)
        // Started first, with a lower priority than the handling of the first requests.
        let keys = Task(priority: .utility) { try await keySource.keys(count, nameLength) }
        do {
            try self.init(seed: seed, configuration: configuration, time: time, signingKeys: [])
        } catch {
            keys.cancel()
            throw error
        }
        keysUnderWay = keys
    }

    /// Creates an emulator with existing signing keys, for tests that create many.
    package init(
        seed: Seed,
        configuration: EmulatorConfiguration,
        time: TimeSource,
        signingKeys: [EmulatorSigningKey]
    ) throws {
        var seed = seed
        seed.keys = seed.keys.map { $0.completed() }
        (self.seed, self.configuration, self.time) = (seed, configuration, time)
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

    /// A clock with the emulator's date; it waits by the machine's clock.
    package nonisolated var shownTime: TimeSource {
        TimeSource(
            now: { [time, shownOffset] in
                time.now.addingTimeInterval(shownOffset.withLock(\.self))
            },
            uptime: { [time] in time.uptime },
            sleep: { [time] in try await time.sleep(for: $0) }
        )
    }

    /// Handles a request to one of Apple's endpoints, including active faults.
    ///
    /// - Parameters:
    ///   - request: the request, with the scheme and authority that the client used.
    ///   - body: the request body.
    /// - Returns: the response, with an optional delay or a closed connection.
    public func respond(to request: HTTPRequest, body: Data) async -> EmulatorAnswer {
        // Clients fetch the discovery document first, and it needs no keys.
        if request.path?.hasPrefix(ApplePath.discovery) != true { await prepareKeys() }
        let answer = currentState.respond(to: request, body: .success(body))
        return answer.unsignedToken == nil ? answer : await answer.signed()
    }

    /// Refuses a request that was not read completely.
    package func refuse(_ request: HTTPRequest, _ problem: RequestProblem) -> EmulatorAnswer {
        currentState.respond(to: request, body: .failure(problem))
    }

    /// Records a request that is not valid HTTP.
    package func recordUnreadableRequest(_ problem: String) {
        currentState.log.addUnreadable(problem, at: currentState.clock.now)
    }

    /// Handles an authorization request with a decision for this request only.
    package func respond(
        to request: HTTPRequest,
        deciding object: JSONObject
    ) async throws(ControlRefusal) -> EmulatorAnswer {
        await prepareKeys()
        return try currentState.respond(to: request, deciding: object)
    }

    /// The complete state without passwords and tokens.
    package func state() async -> JSONObject {
        await prepareKeys()
        return currentState.object
    }

    /// Resets the emulator to its seed.
    ///
    /// The signing keys stay; their number is adjusted to the seed.
    ///
    /// - Throws: ``ControlRefusal`` if a missing signing key cannot be generated.
    public func reset() async throws {
        await prepareKeys()
        let keys = try await makeSeededKeys()
        var state = try EmulatorState(
            seed: seed,
            configuration: configuration,
            signingKeys: currentState.signingKeys,
            time: time
        )
        // IDs of people from before the reset are not reused.
        state.people.lastNumber = max(state.people.lastNumber, currentState.people.lastNumber)
        state.continueNumbers(of: currentState)
        state.signingKeys.resize(to: state.switches.signingKeyCount, adding: keys)
        currentState = state
    }

    package func reset(_ object: JSONObject) async throws -> JSONObject {
        _ = try FieldReader(object, known: [])
        try await reset()
        return await state()
    }

    /// Adds all registrations of a seed, or none; its notification settings and switches are not used.
    package func add(_ seed: Seed) throws(ControlRefusal) {
        var (seed, state) = (seed, currentState)
        seed.keys = seed.keys.map { $0.completed() }
        try state.add(seed, isStart: false)
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
            let account = try SeedPerson(object)
            try currentState.registry.check(account)
            let (person, isNew) = try currentState.people.add(account)
            return AddOutcome(object: person.account.answer, isNew: isNew)
        case .mailSource:
            let teams = currentState.registry.teams
            return try currentState.mail.sources.add(SeedMailSource(object), teams: teams)
        }
    }

    /// Sets a user's decision for the next authorization request, which then shows no page.
    ///
    /// - Parameters:
    ///   - person: an email address of the user's account.
    ///   - isContinuing: whether the user agrees; false cancels.
    ///   - hidesEmail: whether the user hides the email address, at the first authorization.
    ///   - clientID: the only client whose request it decides; nil for any.
    /// - Throws: ``ControlRefusal`` if the user or client is unknown, or the decision is not
    ///   possible.
    public func decideNext(
        for person: String,
        isContinuing: Bool = true,
        hidesEmail: Bool = false,
        clientID: ClientID? = nil
    ) throws(ControlRefusal) {
        _ = try decideNext([
            "person": .string(person), "decision": isContinuing ? "continue" : "cancel",
            "email": hidesEmail ? "hide" : "share",
            "client_id": clientID.map { .string($0.rawValue) } ?? .null,
        ])
    }

    /// The queued decisions, in the order in which they apply.
    package func decisions() -> [JSONObject] { currentState.authorizations.decisions.map(\.object) }

    /// Removes the queued decisions for a client; without a client, all of them.
    package func clearDecisions(for clientID: String?) {
        currentState.authorizations.clearDecisions(for: clientID.map { ClientID($0) })
    }

    /// Queues a decision for one of the next authorization requests.
    package func decideNext(_ object: JSONObject) throws(ControlRefusal) -> JSONObject {
        let decision = try QueuedDecision(
            object,
            people: currentState.people,
            registry: currentState.registry
        )
        try currentState.authorizations.add(decision)
        return decision.object
    }

    /// Transfers an app to another team, whose users can be migrated for 60 days.
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

    /// Reads a part of the state, so the caller does not block the actor while it works on it.
    func read<Part: Sendable>(
        _ part: @Sendable (EmulatorState) throws -> Part
    ) throws(ControlRefusal) -> Part {
        do { return try part(currentState) } catch { throw ControlRefusal(error) }
    }

    /// The active faults, in the order in which they apply.
    package func faults() -> [JSONObject] { currentState.faults.objects }

    /// Removes all faults.
    public func clearFaults() { currentState.faults.clear() }

    package func removeFault(id: String) throws(ControlRefusal) {
        guard let number = Int(id), currentState.faults.remove(number) else {
            throw .notFound("id", "there is no fault with this ID, or it is used up")
        }
    }

    /// The request log, oldest first, each refusal with its reason.
    package func requests() -> [JSONObject] { currentState.log.objects }
}
