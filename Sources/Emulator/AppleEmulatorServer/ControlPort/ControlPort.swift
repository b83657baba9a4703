import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Hummingbird
import OpenAPIDescription

/// The HTTP API and the console that control the emulator, for tests and local users.
struct ControlPort {
    let worlds: Worlds
    private let console: Console
    let renderer: EmulatorPageRenderer
    private let allowedHosts: [String]
    /// The addresses of the emulator's ports; nil until all are listening.
    let addresses: @Sendable () -> EmulatorAddresses?

    init(
        worlds: Worlds,
        renderer: EmulatorPageRenderer,
        allowedHosts: [String] = [],
        addresses: @escaping @Sendable () -> EmulatorAddresses?
    ) {
        self.worlds = worlds
        self.allowedHosts = allowedHosts
        self.addresses = addresses
        console = Console(renderer: renderer, addresses: addresses)
        self.renderer = renderer
    }

    var responder: some HTTPResponder<PortContext> {
        let router = Router(context: ControlContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: UnknownPath())
        let routes =
            registering + editing + people + steering + notifying + mailing + watching + worldRoutes
            + flowRoutes + stateRoutes + [seedSchema]
        ControlRoute.add(routes + [Self.description(of: routes)], to: router)
        console.add(to: router)
        return WorldRouter(
            worlds: worlds,
            controlGuard: ControlGuard(allowedHosts: allowedHosts),
            router: OtherMethods(router: router.buildResponder())
        )
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
                "Registers objects, decides authorizations, injects faults and lists what happened. `POST /worlds` creates an isolated copy of the emulator's state; every operation works on it under its path, such as `/w/ci-42`. Refusals are problem documents (RFC 9457) with a stable code.",
            tags: ControlRoute.Group.allCases.map(\.rawValue),
            schemas: ControlSchemas.allCases.map { ($0.rawValue, $0.schema) },
            problem: ControlSchemas.problem.reference,
            operations: (routes + [route([:])]).map { DescribedOperation($0) }
        )
        return route(document.object)
    }
}
