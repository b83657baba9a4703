import AppleEmulator
import AppleIdentity
import Foundation
import Synchronization

/// The emulators that share the ports: the unnamed one, and a named one for each world.
///
/// The path of a request names its world. Worlds share only their first signing keys.
final class Worlds: Sendable {
    static let maximumCount = 256
    /// The seconds without requests after which a world ends, by the machine's clock.
    static let maximumIdleSeconds: TimeInterval = 3_600

    /// The world of the paths without a name.
    let unnamed: World
    /// Each new world, for the senders of its notifications and mail.
    let made: AsyncStream<World>
    private let announcement: AsyncStream<World>.Continuation
    private let time: TimeSource
    private let named = Mutex<[WorldName: World]>([:])

    init(unnamed: AppleEmulator, time: TimeSource = .live) {
        self.unnamed = World(nil, unnamed, at: time.now)
        self.time = time
        (made, announcement) = AsyncStream.makeStream()
    }

    var all: [World] {
        named.withLock { Array($0.values) }
            .sorted { ($0.name?.text ?? "") < ($1.name?.text ?? "") }
    }

    /// Creates a world from the seed, or returns the existing one with this name.
    func make(_ name: WorldName) async throws -> (world: World, isNew: Bool) {
        if let world = world(name) { return (world, false) }
        let emulator = try await unnamed.emulator.makeWorld(name)
        let world = World(name, emulator, at: time.now)
        let outcome: (world: World, isNew: Bool) = try named.withLock { named in
            // Another request may have created it meanwhile.
            if let world = named[name] { return (world, false) }
            guard named.count < Self.maximumCount else {
                throw ControlRefusal(
                    kind: .conflict,
                    field: "world",
                    message:
                        "there are already \(Self.maximumCount) worlds; DELETE /worlds/NAME ends one"
                )
            }
            named[name] = world
            return (world, true)
        }
        if outcome.isNew { announcement.yield(world) }
        return outcome
    }

    /// Returns an existing world for a request, which keeps it from ending.
    func world(_ name: WorldName) -> World? {
        let now = time.now
        return named.withLock { named in
            named[name]?.use(at: now)
            return named[name]
        }
    }

    /// Finds the world of a request's path, and the path within it; nil if there is none.
    ///
    /// The last world of a path counts, for clients that create a world at a world's address.
    func find(_ target: String) -> (world: World, path: String)? {
        var path = target[...]
        var name: Substring?
        while path.hasPrefix(WorldName.root) {
            let rest = path.dropFirst(WorldName.root.count)
            let next = rest.prefix { $0 != "/" && $0 != "?" }
            (name, path) = (next, rest[next.endIndex...])
        }
        guard let name else { return (unnamed, target) }
        guard let world = WorldName(String(name)).flatMap(world) else { return nil }
        return (world, path.hasPrefix("/") ? String(path) : "/" + path)
    }

    func remove(_ name: WorldName) -> Bool {
        let world = named.withLock { $0.removeValue(forKey: name) }
        world?.end.send()
        return world != nil
    }

    /// Removes a world as soon as it has been idle for the maximum time.
    func endIdle(_ world: World) async throws {
        guard let name = world.name else { return }
        while true {
            let now = time.now
            let rest = named.withLock { named in
                let rest = Self.maximumIdleSeconds - now.timeIntervalSince(world.usedAt)
                // Another world may have the name of a deleted one.
                if rest <= 0, named[name] === world { named[name] = nil }
                return rest
            }
            guard rest > 0 else { return world.end.send() }
            try await time.sleep(for: .seconds(rest))
        }
    }

    /// Returns the world of a message to an address.
    ///
    /// It is the world that the user name of the SMTP session names, unless only another one has
    /// issued the relay address.
    func recipient(_ address: MailAddress, user: String?) async -> World {
        let own = user.flatMap { WorldName($0) }.flatMap(world) ?? unnamed
        for world in [own, unnamed] + all where await world.emulator.hasRelayAddress(address) {
            world.use(at: time.now)
            return world
        }
        return own
    }
}
