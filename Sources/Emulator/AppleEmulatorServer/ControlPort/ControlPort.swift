import AppleEmulator
import AppleEmulatorPages
import Hummingbird
import OpenAPIDescription

/// The HTTP API and the console that control the emulator, for tests and local users.
struct ControlPort {
    let emulator: AppleEmulator
    let lists: ListRoutes
    let worlds: Worlds
    private let console: Console
    private let flowPages: FlowPages
    private let allowedHosts: [String]
    /// The addresses of the emulator's ports; nil until all are listening.
    let addresses: @Sendable () -> EmulatorAddresses?

    init(
        emulator: AppleEmulator,
        renderer: PageRenderer,
        allowedHosts: [String] = [],
        worlds: Worlds? = nil,
        addresses: @escaping @Sendable () -> EmulatorAddresses?
    ) {
        self.emulator = emulator
        self.allowedHosts = allowedHosts
        self.worlds = worlds ?? Worlds(unnamed: emulator)
        lists = ListRoutes(emulator: emulator)
        self.addresses = addresses
        console = Console(emulator: emulator, renderer: renderer, addresses: addresses)
        flowPages = FlowPages(emulator: emulator, renderer: renderer)
    }

    var responder: some HTTPResponder<PortContext> {
        let router = Router(context: PortContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ControlGuard(allowedHosts: allowedHosts))
        router.add(middleware: UnknownPath())
        let stateRoutes = StateRoutes(emulator: emulator)
        let routes =
            registering + editing + people + steering + notifying + mailing + watching + worldRoutes
            + flowPages.routes
        let described = routes.flatMap(\.described) + stateRoutes.described
        for route in routes + [DescriptionRoute.route(describing: described)] {
            route.add(to: router)
        }
        stateRoutes.add(to: router)
        console.add(to: router)
        return OtherMethods(router: router.buildResponder())
    }
}

/// The OpenAPI description of the control port without its pages.
enum DescriptionRoute {
    private static let path: RouterPath = "openapi.json"
    private static let about = ControlDescription(
        "describe",
        .state,
        "Show this description",
        answers: [.ok("An OpenAPI 3.1 document.", .object([.required("openapi", .text())]))]
    )

    /// Returns the route that describes these operations and itself.
    static func route(describing operations: [DescribedOperation]) -> ControlRoute {
        let document = OpenAPIDocument(
            title: "Sign in with Apple: the emulator's control port",
            description:
                "Registers objects, decides authorizations, injects faults and lists what happened. Every operation accepts the name of a world (an isolated copy of the emulator's state) in the parameter `siwa_world` or the header field `Siwa-World`. Refusals are problem documents (RFC 9457) with a stable code.",
            tags: ControlDescription.Group.allCases.map(\.rawValue),
            schemas: ControlSchemas.allCases.map { ($0.rawValue, $0.schema) },
            problem: ControlSchemas.problem.reference,
            operations: operations + [DescribedOperation(.get, path, about)]
        )
        let object = document.object
        return ControlRoute(path, .get(about) { _ in .found(object) })
    }
}
