import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Logging
import ServiceLifecycle

/// One emulator among several at the same ports.
struct World: Sendable {
    let name: WorldName
    let emulator: AppleEmulator
    let tag: WorldTag
    let madeAt: Date
    /// When a request last reached it.
    var usedAt: Date
    /// Rings when the world is removed.
    let end = Signal()
}

/// The emulators that share the ports: one without a name, and those that tests name.
///
/// Each is made from the same seed on its first use. They share nothing but the keys they begin with.
actor Worlds {
    static let maximumCount = 64
    /// How long a world stays that nobody uses when others need its place, in seconds.
    static let maximumIdleSeconds: TimeInterval = 3_600

    enum Refusal: Error {
        /// As many as may be are there already, and all are in use.
        case tooMany
        /// A page of another site asks, and its person does not see it.
        case hidden

        var reason: String {
            switch self {
            case .tooMany:
                "there are \(maximumCount) worlds already, each used within the last hour"
            case .hidden:
                "a page of another site can't make a world: name it in a request of your own first"
            }
        }

        /// The reason as the beginning of a sentence.
        var sentence: String { reason.prefix(1).uppercased() + reason.dropFirst() }
    }

    /// The emulator that is asked by whoever names no world.
    nonisolated let unnamed: AppleEmulator
    /// Each world that is made, for whoever delivers what it sends.
    nonisolated let made: AsyncStream<World>
    private let announcement: AsyncStream<World>.Continuation
    private let time: TimeSource
    private var worlds: [WorldName: World] = [:]
    private var underWay: [WorldName: Task<World, any Error>] = [:]

    init(unnamed: AppleEmulator, time: TimeSource = .live) {
        self.unnamed = unnamed
        self.time = time
        (made, announcement) = AsyncStream.makeStream()
    }

    var all: [World] { worlds.values.sorted { $0.name.text < $1.name.text } }

    /// The world of a name, which is made if it is not there.
    ///
    /// When there is no place for it, the world that nobody has used for the longest time ends.
    func world(_ name: WorldName, mayMake: Bool = true) async throws -> World {
        if let world = existing(name) { return world }
        guard mayMake else { throw Refusal.hidden }
        if let task = underWay[name] { return try await task.value }
        guard worlds.count + underWay.count < Self.maximumCount || removeIdle() else {
            throw Refusal.tooMany
        }
        let task = Task { [unnamed, time] in
            let tag = WorldTag.random()
            let emulator = try await unnamed.makeWorld(name.text, tag: tag)
            let now = time.now
            return World(name: name, emulator: emulator, tag: tag, madeAt: now, usedAt: now)
        }
        underWay[name] = task
        defer { underWay[name] = nil }
        let world = try await task.value
        worlds[name] = world
        announcement.yield(world)
        return world
    }

    /// A world that is there, for a request to it.
    func existing(_ name: WorldName) -> World? {
        worlds[name]?.usedAt = time.now
        return worlds[name]
    }

    /// Removes the world that nobody has used for the longest time, if that is long enough.
    ///
    /// By the machine's clock: those of the worlds are moved by tests.
    private func removeIdle() -> Bool {
        let limit = time.now.addingTimeInterval(-Self.maximumIdleSeconds)
        guard let world = worlds.values.min(by: { $0.usedAt < $1.usedAt }), world.usedAt < limit
        else { return false }
        return remove(world.name)
    }

    func remove(_ name: WorldName) -> Bool {
        guard let world = worlds.removeValue(forKey: name) else { return false }
        world.end.send()
        return true
    }

    // MARK: Requests that name no world

    /// The emulator that a request belongs to by what it carries; the unnamed one when nothing tells.
    func owner(of request: HTTPRequest, body: Data, remembered: WorldName?) async -> AppleEmulator {
        let candidates = all
        guard !candidates.isEmpty else { return unnamed }
        let marks = RequestMarks(request, body: body)
        var name = candidates.first { marks.tags.contains($0.tag) }?.name
        for world in candidates where name == nil {
            if await world.emulator.hasBegun(marks) { name = world.name }
        }
        if name == nil, let remembered, worlds[remembered] != nil { name = remembered }
        if name == nil { name = await registrar(of: marks, among: candidates) }
        return name.flatMap(existing)?.emulator ?? unnamed
    }

    /// The only world that knows the client, unless the unnamed one does too.
    private func registrar(of marks: RequestMarks, among candidates: [World]) async -> WorldName? {
        guard await !unnamed.hasRegistered(marks) else { return nil }
        var found: [WorldName] = []
        for world in candidates where await world.emulator.hasRegistered(marks) {
            found.append(world.name)
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Has the unnamed world publish the keys of every other one.
    func shareKeys() async {
        var keys: [EmulatorSigningKey] = []
        for world in all { keys += await world.emulator.publishedKeys() }
        await unnamed.publishAlso(keys)
    }

    // MARK: Mail

    /// The emulator that mail to an address is for.
    ///
    /// A relay address is known to one world alone. Anything else goes to the world that the mail
    /// server gives as its own name.
    func recipient(_ address: MailAddress, greeting: String) async -> AppleEmulator {
        for world in all where await world.emulator.hasRelayAddress(address) {
            return existing(world.name)?.emulator ?? world.emulator
        }
        return WorldName(greeting).flatMap(existing)?.emulator ?? unnamed
    }
}

/// Sends each named world's notifications and people's answers, from its first use to its end.
struct WorldSenders: Service {
    let worlds: Worlds
    /// The mail server that people's answers are handed to; nil keeps them.
    let server: MailServerAddress?
    let time: TimeSource
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await world in worlds.made { group.addTask { await send(for: world) } }
            }
        }
    }

    private func send(for world: World) async {
        let emulator = world.emulator
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // It ends by being cancelled alone.
                try? await NotificationSender(emulator: emulator, time: time, logger: logger).run()
            }
            if let server {
                group.addTask {
                    let sender = MailSender(
                        emulator: emulator,
                        server: server,
                        time: time,
                        logger: logger
                    )
                    try? await sender.run()
                }
            }
            await world.end.wait()
            group.cancelAll()
        }
    }
}
