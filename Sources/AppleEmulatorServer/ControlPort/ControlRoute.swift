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
