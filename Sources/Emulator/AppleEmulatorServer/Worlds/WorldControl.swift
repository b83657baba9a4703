import AppleEmulator
import AppleEmulatorPages
import Hummingbird
import Synchronization

/// Passes each request to the control port of the world that it names.
final class WorldControl: HTTPResponder {
    typealias Context = PortContext
    private typealias Port = HTTPResponder<PortContext>

    private let worlds: Worlds
    private let controlGuard: ControlGuard<PortContext>
    private let makePort: @Sendable (AppleEmulator) -> any Port
    private let unnamed: any Port
    private let named = Mutex<[WorldName: (emulator: AppleEmulator, port: any Port)]>([:])

    init(
        worlds: Worlds,
        renderer: EmulatorPageRenderer,
        allowedHosts: [String],
        addresses: @escaping @Sendable () -> EmulatorAddresses?
    ) {
        self.worlds = worlds
        controlGuard = ControlGuard(allowedHosts: allowedHosts)
        makePort = { emulator in
            ControlPort(
                emulator: emulator,
                renderer: renderer,
                allowedHosts: allowedHosts,
                worlds: worlds,
                addresses: addresses
            ).responder
        }
        unnamed = makePort(worlds.unnamed)
    }

    func respond(to request: Request, context: PortContext) async throws -> Response {
        // The guard runs first: a page of another site must not create worlds.
        try await controlGuard.handle(request, context: context) { request, context in
            do {
                return try await self.pass(request, context)
            } catch let refusal as WorldChoice.Refusal {
                return ControlProblem.wrongField(refusal.field, refusal.problem).response
            } catch let refusal as Worlds.Refusal {
                return ControlProblem(refusal).response
            }
        }
    }

    private func pass(_ request: Request, _ context: Context) async throws -> Response {
        let choice = try WorldChoice(request.head)
        var head = request.head
        head.path = choice.path
        let port = try await port(for: choice)
        var response = try await port.respond(
            to: Request(head: head, body: request.body),
            context: context
        )
        // The cookie keeps the console's links and forms in the world of its first page.
        if let cookie = choice.cookie { response.headers.append(cookie) }
        return response
    }

    private func port(for choice: WorldChoice) async throws -> any Port {
        switch choice.selection {
        case .unnamed: return unnamed
        case .named(let name):
            return port(of: try await worlds.world(name, mayMake: choice.mayMakeWorld))
        case .silent:
            guard let name = choice.remembered, let world = await worlds.existing(name) else {
                return unnamed
            }
            return port(of: world)
        }
    }

    /// Returns the port of a world, whose routes are built once.
    private func port(of world: World) -> any Port {
        named.withLock { named in
            if let known = named[world.name], known.emulator === world.emulator {
                return known.port
            }
            // Drops the ports of removed worlds.
            if named.count >= Worlds.maximumCount { named = [:] }
            let port = makePort(world.emulator)
            named[world.name] = (world.emulator, port)
            return port
        }
    }
}
