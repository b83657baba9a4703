import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes

/// One emulator among several at the same ports.
struct World: Sendable {
    let name: WorldName
    let emulator: AppleEmulator
    let tag: WorldTag
    let madeAt: Date
    /// Rings when the world is removed.
    let end = Signal()
}

/// The emulators that share the ports: one without a name, and those that tests name.
///
/// Each is made from the same seed on its first use. They share nothing but the keys they begin with.
actor Worlds {
    /// How many worlds may have names.
    static let maximumCount = 64

    /// As many worlds as may be are there already.
    struct TooMany: Error {}

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

    /// Every world with a name, in the order of the names.
    var all: [World] { worlds.values.sorted { $0.name.text < $1.name.text } }

    /// The world of a name, which is made if it is not there.
    ///
    /// - Throws: ``TooMany``; or when a key that is missing can't be made.
    func world(_ name: WorldName) async throws -> World {
        if let world = worlds[name] { return world }
        if let task = underWay[name] { return try await task.value }
        guard worlds.count + underWay.count < Self.maximumCount else { throw TooMany() }
        let task = Task { [unnamed, time] in
            let tag = WorldTag.random()
            let emulator = try await unnamed.makeWorld(name.text, tag: tag)
            return World(name: name, emulator: emulator, tag: tag, madeAt: time.now)
        }
        underWay[name] = task
        defer { underWay[name] = nil }
        let world = try await task.value
        worlds[name] = world
        announcement.yield(world)
        return world
    }

    /// A world that is there.
    func existing(_ name: WorldName) -> World? { worlds[name] }

    /// Removes a world with all that it knows.
    ///
    /// - Returns: whether it was there.
    func remove(_ name: WorldName) -> Bool {
        guard let world = worlds.removeValue(forKey: name) else { return false }
        world.end.send()
        return true
    }

    // MARK: Requests that name no world

    /// The emulator that a request belongs to by what it carries; the unnamed one when nothing tells.
    ///
    /// - Parameters:
    ///   - request: the request to Apple's port.
    ///   - body: its body.
    ///   - remembered: the world that the browser was in before.
    /// - Returns: one of ``all``, or the unnamed one.
    func owner(
        of request: HTTPRequest,
        body: Data,
        remembered: WorldName?
    ) async -> AppleEmulator {
        let candidates = all
        guard !candidates.isEmpty else { return unnamed }
        let marks = RequestMarks(request, body: body)
        if let world = candidates.first(where: { marks.tags.contains($0.tag) }) {
            return world.emulator
        }
        for world in candidates where await world.emulator.hasBegun(marks) { return world.emulator }
        if let remembered, let world = worlds[remembered] { return world.emulator }
        return await registrar(of: marks, among: candidates) ?? unnamed
    }

    /// The only world that knows the client, unless the unnamed one does too.
    private func registrar(of marks: RequestMarks, among candidates: [World]) async
        -> AppleEmulator?
    {
        guard await !unnamed.hasRegistered(marks) else { return nil }
        var found: [AppleEmulator] = []
        for world in candidates where await world.emulator.hasRegistered(marks) {
            found.append(world.emulator)
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
            return world.emulator
        }
        return WorldName(greeting).flatMap { worlds[$0] }?.emulator ?? unnamed
    }
}
