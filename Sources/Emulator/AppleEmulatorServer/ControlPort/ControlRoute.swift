import AppleEmulator
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// One method of a path: its action, and its description in the OpenAPI document.
struct ControlRoute: Sendable {
    typealias Perform = @Sendable (ControlRequest) async throws -> ControlAnswer
    typealias Field = JSONSchema.Field
    typealias Answer = DescribedOperation.Answer

    /// The methods for which a path responds with 405 when it has no route for them.
    static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    let endpoint: Endpoint
    /// The unique operation id, a function name in generated clients.
    let id: String
    let summary: String
    let query: [Field]
    /// The body; nil if none is read.
    let body: JSONSchema?
    let answers: [Answer]
    let refusals: [Refusal]
    /// Whether the body is an object of the usual size, which is read before the action.
    let readsObject: Bool
    private let perform: Perform

    /// Creates a route; `fields` makes a body with these fields and no others.
    init(
        _ endpoint: Endpoint,
        _ id: String,
        _ summary: String,
        query: [Field] = [],
        body: JSONSchema? = nil,
        fields: [Field]? = nil,
        answers: Answer...,
        refusals: [Refusal] = [],
        readsObject: Bool = true,
        perform: @escaping Perform
    ) {
        (self.endpoint, self.id, self.summary, self.query) = (endpoint, id, summary, query)
        self.body = fields.map { .object($0, isClosed: true) } ?? body
        (self.answers, self.refusals) = (answers, refusals)
        (self.readsObject, self.perform) = (readsObject, perform)
    }

    /// Creates a route whose response is 204 after its action.
    init(
        _ endpoint: Endpoint,
        _ id: String,
        _ summary: String,
        query: [Field] = [],
        fields: [Field]? = nil,
        done: String,
        refusals: [Refusal] = [],
        perform: @escaping @Sendable (ControlRequest) async throws -> Void
    ) {
        let answer = Answer.done(done)
        self.init(
            endpoint,
            id,
            summary,
            query: query,
            fields: fields,
            answers: answer,
            refusals: refusals
        ) {
            try await perform($0)
            return .done
        }
    }

    /// Adds routes; each path refuses the methods that none of them has.
    static func add(_ routes: [ControlRoute], to router: Router<ControlContext>) {
        for route in routes {
            router.on(RouterPath(route.endpoint.path), method: route.endpoint.method) {
                try await route.answer($0, $1)
            }
        }
        for (path, routes) in Dictionary(grouping: routes, by: \.endpoint.path) {
            let own = routes.map(\.endpoint.method)
            let allowed = own + (own.contains(.get) ? [.head] : [])
            for method in methods where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ in
                    ControlProblem.notAllowed(allowed).response
                }
            }
        }
    }

    /// Performs the action; a refusal is answered with a problem document.
    private func answer(_ request: Request, _ context: ControlContext) async throws -> Response {
        do {
            let object = readsObject ? try await ControlRequest.object(of: request) : [:]
            return try await perform(ControlRequest(request, object, context: context))
                .response(in: context.world)
        } catch let refusal as ControlRefusal {
            return ControlProblem(refusal).response
        } catch let problem as ControlProblem {
            return problem.response
        }
    }
}

/// The media types that a caller accepts, from its `Accept` field.
///
/// Source: [RFC 9110, section 12.5.1](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1)
struct AcceptedTypes {
    private static let maximumTypeCount = 32

    private var weights: [String: Double] = [:]

    init(_ fields: [String]) {
        for type in fields.joined(separator: ",").split(separator: ",").prefix(
            Self.maximumTypeCount
        ) {
            let parts = type.split(separator: ";").map { part in
                part.filter { !$0.isWhitespace }.lowercased()
            }
            guard let name = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
            weights[name] = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        }
    }

    /// Whether `text/html` is named, with at least the weight of JSON.
    var prefersPage: Bool {
        guard let page = weights["text/html"], page > 0 else { return false }
        return page >= weights["application/json"] ?? 0
    }
}

/// Refuses methods that no route names: 405 on known paths, 404 elsewhere.
struct OtherMethods<Router: HTTPResponder>: HTTPResponder {
    let router: Router

    @concurrent
    func respond(to request: Request, context: Router.Context) async throws -> Response {
        guard !ControlRoute.methods.contains(request.method) else {
            return try await router.respond(to: request, context: context)
        }
        // Every path refuses OPTIONS in the same way, and the router knows that method.
        var head = request.head
        head.method = .options
        return try await router.respond(
            to: Request(head: head, body: request.body),
            context: context
        )
    }
}

/// Responds with a problem document where the router knows no path.
struct UnknownPath<Context: RequestContext>: RouterMiddleware {
    @concurrent
    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError where error.status == .notFound {
            return ControlProblem.notFound.response
        }
    }
}
