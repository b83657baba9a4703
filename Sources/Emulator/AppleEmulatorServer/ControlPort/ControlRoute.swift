import AppleEmulator
import HTTPTypes
import Hummingbird
import OpenAPIDescription

struct ControlRoute {
    /// The methods for which a path responds with 405 when it has no operation for them.
    static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    let path: RouterPath
    let operations: [ControlOperation]

    init(_ path: RouterPath, _ operations: ControlOperation...) {
        self.path = path
        self.operations = operations
    }

    func add(to router: Router<PortContext>) {
        for operation in operations {
            router.on(path, method: operation.method) { request, context in
                try await Self.answer {
                    try await operation.perform(ControlRequest(request, context: context)).response
                }
            }
        }
        Self.refuseMethods(except: operations.map(\.method), of: path, in: router)
    }

    static func refuseMethods(
        except methods: [HTTPRequest.Method],
        of path: RouterPath,
        in router: Router<PortContext>
    ) {
        let allowed = methods + (methods.contains(.get) ? [.head] : [])
        for method in Self.methods where !allowed.contains(method) {
            router.on(path, method: method) { _, _ in ControlProblem.notAllowed(allowed).response }
        }
    }

    var described: [DescribedOperation] {
        operations.map { DescribedOperation($0.method, path, $0.about) }
    }

    /// A refusal is answered with a problem document.
    static func answer(_ perform: () async throws -> Response) async throws -> Response {
        do {
            return try await perform()
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
