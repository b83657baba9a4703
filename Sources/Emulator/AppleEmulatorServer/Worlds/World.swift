import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// One of several emulators on the same ports.
final class World: Sendable {
    /// The name; nil for the emulator that the ports have without a prefix.
    let name: WorldName?
    let emulator: AppleEmulator
    let madeAt: Date
    /// Whether a page has shown all steps of the tour as done.
    let tourWasShownDone = LockedValue(false)
    /// Whether the tour was put away, until the emulator ends.
    let tourIsHidden = LockedValue(false)
    /// Is sent when the world is removed.
    let end = Signal()
    private let lastUse: Mutex<Date>

    init(_ name: WorldName?, _ emulator: AppleEmulator, at time: Date) {
        (self.name, self.emulator, madeAt) = (name, emulator, time)
        lastUse = Mutex(time)
    }

    /// The prefix of its paths; empty for the unnamed world.
    var path: String { name?.path ?? "" }
    /// The time of the last request to it.
    var usedAt: Date { lastUse.withLock(\.self) }

    func use(at time: Date) { lastUse.withLock { $0 = time } }
}

/// Passes each request to the control port to the routes, with the world of its path.
struct WorldRouter<Router: HTTPResponder>: HTTPResponder where Router.Context == ControlContext {
    let worlds: Worlds
    let controlGuard: ControlGuard
    let router: Router

    @concurrent
    func respond(to request: Request, context: PortContext) async throws -> Response {
        do throws(ControlProblem) {
            try controlGuard.check(request)
        } catch {
            return error.response
        }
        guard let (world, path) = worlds.find(request.head.path ?? "/") else {
            return ControlProblem.unknownWorld.response
        }
        var head = request.head
        head.path = path
        return try await router.respond(
            to: Request(head: head, body: request.body),
            context: ControlContext(
                source: .init(logger: context.logger, channel: context.channel, world: world)
            )
        )
    }
}

/// The context of a request to the control port, with its world.
struct ControlContext: RequestContext {
    struct Source: RequestContextSource {
        let logger: Logger
        let channel: any Channel
        let world: World
    }

    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    let world: World

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        (channel, world) = (source.channel, source.world)
    }
}
