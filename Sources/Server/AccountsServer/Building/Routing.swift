import Accounts
import CoreMetrics
import HTTPTypes
import Hummingbird
import NIOCore
import SignInWithApple

/// The context of one request.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection; its peer may be a proxy.
    let channel: any Channel
    /// The client that sent the request; the connection's peer before the middleware reads the header fields.
    var client: RequestClient

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        client = RequestClient(source.channel.remoteAddress)
    }
}

/// A route: a method, a path and a handler.
struct Route: Sendable {
    typealias Handler = @Sendable (Request, ServerContext) async throws -> Response

    let method: HTTPRequest.Method
    let path: String
    /// The description of a JSON route; nil for a page.
    let operation: Operation?
    let handler: Handler

    /// Creates the route of a page, or a JSON route with its description.
    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        as operation: Operation? = nil,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.handler = handler
    }

    /// Creates a route whose handler needs only the request.
    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        as operation: Operation? = nil,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) { self.init(method, path, as: operation) { request, _ in try await handler(request) } }

    var described: DescribedRoute? {
        operation.map { DescribedRoute(method: method, path: path, operation: $0) }
    }
}

/// The methods of each path, which distinguish an unknown path from a wrong method.
struct RouteTable: Sendable {
    private let methodsByPath: [[Substring]: [String]]

    init(_ router: Router<ServerContext>) {
        methodsByPath = router.routes.reduce(into: [:]) { methods, route in
            let path = Self.segments(route.path.description)
            methods[path, default: []].append(route.method.rawValue)
            // The router serves HEAD for every GET route.
            if route.method == .get { methods[path, default: []].append("HEAD") }
        }
    }

    /// Whether no segment of a path is empty: the router ignores those, but a proxy's rule may not.
    static func isExact(_ path: String) -> Bool {
        path == "/" || !"\(path)/".contains("//")
    }

    /// Returns the methods of a path in order; none when the path is unknown.
    func methods(for path: String) -> [String] {
        guard Self.isExact(path) else { return [] }
        let segments = Self.segments(path)
        // The router prefers a path without parameters, and tries no other then.
        if let own = methodsByPath[segments] { return Set(own).sorted() }
        let matching = methodsByPath.filter { Self.matches($0.key, segments) }
        return Set(matching.values.joined()).sorted()
    }

    private static func segments(_ path: String) -> [Substring] {
        path.split(separator: "/")
    }

    private static func matches(_ pattern: [Substring], _ segments: [Substring]) -> Bool {
        pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

extension ServerParts {
    /// Creates the router with the middleware, and the route that responds without a task if the
    /// store has sessions in memory.
    func routing() throws -> (router: Router<ServerContext>, immediate: ImmediateRoute?) {
        let bare = Router(context: ServerContext.self)
        try add(to: bare)
        let factory = metrics.factory
        let middleware = ServerMiddleware(
            proxies: configuration.trustedProxies,
            headers: SecurityHeaders(origins: origins),
            writer: refusals,
            routes: RouteTable(bare),
            limiter: limiter,
            limited: CountedRefusals(factory),
            crossOrigin: CrossOriginRequests(
                allowed: configuration.allowedOrigins,
                origins: origins,
                refused: CountedRefusals(factory, label: "siwa_cross_origin_refused_total")
            ),
            time: time,
            dates: DateField(time: time),
            measures: RequestMeasures(unmatched: factory)
        )
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        try add(to: MeasuredRouter(router: router, middleware: middleware, metrics: factory))
        // A middleware applies to routes added after it: this one, to requests that match no route.
        router.add(middleware: middleware)
        guard accounts.remembersSessions else { return (router, nil) }
        let immediate = ImmediateRoute(
            path: AccountRoutes.path,
            document: AccountRoutes(server: self).rememberedDocument,
            middleware: middleware.measuring(
                RequestMeasures(.get, AccountRoutes.path, factory)
            )
        )
        return (router, immediate)
    }

    private func add(to router: some RouterMethods<ServerContext>) throws {
        let apple = AppleRoutes(server: self)
        let routes = routes
        let described = apple.described + routes.compactMap(\.described)
        for route in routes + OpenAPIRoutes(server: self, described: described).routes {
            router.on(RouterPath(route.path), method: route.method, use: route.handler)
        }
        try apple.add(to: router)
    }

    private var routes: [Route] {
        SignInRoutes(server: self).routes + MailLinkRoutes(server: self).routes
            + AccountPageRoutes(server: self).routes + AccountAccessRoutes(server: self).routes
            + AppSignInRoutes(server: self).routes + AppCodeRoutes(server: self).routes
            + AppRoutes(server: self).routes + AndroidRoutes(server: self).routes
            + AccessTokenRoutes(server: self).routes + IntrospectionRoutes(server: self).routes
            + SessionRoutes(server: self).routes + PasswordRoutes(server: self).routes
            + AccountRoutes(server: self).routes
            + HealthRoutes(server: self).routes + MetricsRoutes(server: self).routes
            + AssetRoutes(assets: pages.assets).routes
    }
}

/// Adds a middleware to each route with the route's instruments, so no request looks them up.
private struct MeasuredRouter: RouterMethods {
    typealias Context = ServerContext

    let router: Router<ServerContext>
    let middleware: ServerMiddleware
    let metrics: any MetricsFactory

    func on<Responder: HTTPResponder>(
        _ path: RouterPath,
        method: HTTPRequest.Method,
        responder: Responder
    ) -> Self where Responder.Context == ServerContext {
        let measures = RequestMeasures(method, path.description, metrics)
        router.group()
            .add(middleware: middleware.measuring(measures))
            .on(path, method: method, responder: responder)
        return self
    }

    func add(middleware: any MiddlewareProtocol<Request, Response, ServerContext>) -> Self {
        router.add(middleware: middleware)
        return self
    }
}
