import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Logging
import ServiceLifecycle

/// One of several emulators on the same ports.
struct World: Sendable {
    let name: WorldName
    let emulator: AppleEmulator
    let tag: WorldTag
    let madeAt: Date
    /// The time of the last request to it.
    var usedAt: Date
    /// Is sent when the world is removed.
    let end = Signal()
}

/// The emulators that share the ports: the unnamed one, and a named one for each world.
///
/// A world is created from the seed at its first use. Worlds share only their first signing keys.
actor Worlds {
    static let maximumCount = 64
    /// The seconds without requests after which a world may be replaced by a new one.
    static let maximumIdleSeconds: TimeInterval = 3_600

    enum Refusal: Error {
        /// The maximum number of worlds exists, and all are in use.
        case tooMany
        /// The request comes from another site's page, hidden from the user.
        case hidden

        var reason: String {
            switch self {
            case .tooMany:
                "there are already \(maximumCount) worlds, all used within the last hour"
            case .hidden:
                "a page of another site can't create a world: name it in your own request first"
            }
        }

        /// The reason with a capital letter, without a full stop.
        var sentence: String { reason.prefix(1).uppercased() + reason.dropFirst() }
    }

    /// The emulator for requests that belong to no world.
    nonisolated let unnamed: AppleEmulator
    /// Each new world, for the senders of its notifications and mail.
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

    /// Returns the world with a name; creates it if it is missing.
    ///
    /// If there are too many worlds, it replaces the one that has been idle longest.
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

    /// Returns an existing world for a request, which updates its time of use.
    func existing(_ name: WorldName) -> World? {
        worlds[name]?.usedAt = time.now
        return worlds[name]
    }

    /// Removes the world that has been idle longest, if that is longer than the limit.
    ///
    /// Uses the machine's clock, because tests move those of the worlds.
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

    /// The emulator to which a request belongs by its values; by default the unnamed one.
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

    /// The only world in which the client is registered; nil if the unnamed one has it too.
    private func registrar(of marks: RequestMarks, among candidates: [World]) async -> WorldName? {
        guard await !unnamed.hasRegistered(marks) else { return nil }
        var found: [WorldName] = []
        for world in candidates where await world.emulator.hasRegistered(marks) {
            found.append(world.name)
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Publishes the keys of all worlds in the unnamed one.
    func shareKeys() async {
        var keys: [EmulatorSigningKey] = []
        for world in all { keys += await world.emulator.publishedKeys() }
        await unnamed.publishAlso(keys)
    }

    // MARK: Mail

    /// Returns the emulator that receives mail to an address.
    ///
    /// A relay address belongs to one world. Other mail goes to the world that the client names in
    /// its greeting.
    func recipient(_ address: MailAddress, greeting: String) async -> AppleEmulator {
        for world in all where await world.emulator.hasRelayAddress(address) {
            return existing(world.name)?.emulator ?? world.emulator
        }
        return WorldName(greeting).flatMap(existing)?.emulator ?? unnamed
    }
}

/// Sends each named world's notifications and replies, from its first use to its end.
struct WorldSenders: Service {
    let worlds: Worlds
    /// The mail server that replies are sent to; nil only stores them.
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
                // It ends only by cancellation.
                try? await NotificationSender(emulator: emulator, time: time, logger: logger).run()
            }
            if let server {
                group.addTask {
                    let sender = OutgoingMailSender(
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
