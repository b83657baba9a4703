import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Hummingbird
import OpenAPIDescription

/// The HTTP API and the console that control the emulator, for tests and local users.
struct ControlPort {
    let emulator: AppleEmulator
    let worlds: Worlds
    private let console: Console
    let renderer: EmulatorPageRenderer
    private let allowedHosts: [String]
    /// The addresses of the emulator's ports; nil until all are listening.
    let addresses: @Sendable () -> EmulatorAddresses?

    init(
        emulator: AppleEmulator,
        renderer: EmulatorPageRenderer,
        allowedHosts: [String] = [],
        worlds: Worlds? = nil,
        addresses: @escaping @Sendable () -> EmulatorAddresses?
    ) {
        self.emulator = emulator
        self.allowedHosts = allowedHosts
        self.worlds = worlds ?? Worlds(unnamed: emulator)
        self.addresses = addresses
        console = Console(emulator: emulator, renderer: renderer, addresses: addresses)
        self.renderer = renderer
    }

    var responder: some HTTPResponder<PortContext> {
        let router = Router(context: PortContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ControlGuard(allowedHosts: allowedHosts))
        router.add(middleware: UnknownPath())
        let routes =
            registering + editing + people + steering + notifying + mailing + watching + worldRoutes
            + flowRoutes + stateRoutes
        ControlRoute.add(routes + [Self.description(of: routes)], to: router)
        console.add(to: router)
        return OtherMethods(router: router.buildResponder())
    }

    /// Returns the route that describes these routes and itself: all but the pages.
    private static func description(of routes: [ControlRoute]) -> ControlRoute {
        func route(_ document: JSONObject) -> ControlRoute {
            ControlRoute(
                .get("openapi.json", .state),
                "describe",
                "Show this description",
                answers: .ok("An OpenAPI 3.1 document.", .required("openapi", .text()))
            ) { _ in .found(document) }
        }
        let document = OpenAPIDocument(
            title: "Sign in with Apple: the emulator's control port",
            description:
                "Registers objects, decides authorizations, injects faults and lists what happened. Every operation accepts the name of a world (an isolated copy of the emulator's state) in the parameter `siwa_world` or the header field `Siwa-World`. Refusals are problem documents (RFC 9457) with a stable code.",
            tags: ControlRoute.Group.allCases.map(\.rawValue),
            schemas: ControlSchemas.allCases.map { ($0.rawValue, $0.schema) },
            problem: ControlSchemas.problem.reference,
            operations: (routes + [route([:])]).map { DescribedOperation($0) }
        )
        return route(document.object)
    }
}
