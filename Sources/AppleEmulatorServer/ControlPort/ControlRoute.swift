import AppleEmulator
import HTTPTypes
import Hummingbird

/// One path of the control port and what each of its methods does.
struct ControlRoute {
    typealias Operation = @Sendable (ControlRequest) async throws -> ControlAnswer

    /// The methods that are answered with 405 where a path does not have them.
    static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    let path: RouterPath
    let operations: [HTTPRequest.Method: Operation]

    init(_ path: RouterPath, _ operations: [HTTPRequest.Method: Operation]) {
        self.path = path
        self.operations = operations
    }

    func add(to router: Router<BasicRequestContext>) {
        let allowed = Array(operations.keys) + (operations[.get] == nil ? [] : [.head])
        for (method, operation) in operations {
            router.on(path, method: method) { request, context in
                try await Self.answer(request, context, operation)
            }
        }
        for method in Self.methods where !allowed.contains(method) {
            router.on(path, method: method) { _, _ in ControlProblem.notAllowed(allowed).response }
        }
    }

    private static func answer(
        _ request: Request,
        _ context: BasicRequestContext,
        _ operation: Operation
    ) async throws -> Response {
        do {
            return try await operation(ControlRequest(request, context: context)).response
        } catch let refusal as ControlRefusal {
            return ControlProblem(refusal).response
        } catch let problem as ControlProblem {
            return problem.response
        }
    }
}

/// What a caller would like to have, by its `Accept` field.
///
/// Source: [RFC 9110, section 12.5.1](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1)
struct AcceptedTypes {
    /// How many media types are read.
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

    /// Whether a page is asked for by its name, and JSON is not liked better.
    var prefersPage: Bool {
        guard let page = weights["text/html"], page > 0 else { return false }
        return page >= weights["application/json"] ?? 0
    }
}

/// Answers in words where the router knows no path.
struct UnknownPath<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError where error.status == .notFound {
            return ControlProblem.notFound.response
        }
    }
}
