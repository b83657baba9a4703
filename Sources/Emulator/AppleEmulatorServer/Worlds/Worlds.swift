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
        let world = named.withLock { $0[name] }
        world?.use(at: time.now)
        return world
    }

    /// Finds the world of a request's path, and the path within it; nil if there is none.
    ///
    /// The last world of a path counts, for clients that create a world at a world's address.
    func find(_ target: String) -> (world: World, path: String)? {
        guard target.hasPrefix(WorldName.root) else { return (unnamed, target) }
        let rest = target.dropFirst(WorldName.root.count)
        let name = rest.prefix { $0 != "/" && $0 != "?" }
        guard let world = WorldName(String(name)).flatMap(world) else { return nil }
        let path = rest.dropFirst(name.count)
        guard !path.hasPrefix(WorldName.root) else { return find(String(path)) }
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
            let rest = Self.maximumIdleSeconds - time.now.timeIntervalSince(world.usedAt)
            guard rest > 0 else { break }
            try await time.sleep(for: .seconds(rest))
        }
        _ = remove(name)
    }

    /// Returns the world of a message to an address.
    ///
    /// A relay address belongs to one world. Other mail goes to the world that the user name of
    /// the SMTP session names.
    func recipient(_ address: MailAddress, user: String) async -> World {
        for world in all where await world.emulator.hasRelayAddress(address) { return world }
        return WorldName(user).flatMap(world) ?? unnamed
    }
}
