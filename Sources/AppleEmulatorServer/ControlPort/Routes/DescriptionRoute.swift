import Hummingbird
import NIOCore
import OpenAPIDescription

/// The description of all operations of the control port but its pages.
enum DescriptionRoute {
    private static let path: RouterPath = "openapi.json"
    private static let about = ControlDescription(
        "describe",
        .state,
        "This description",
        answers: [.ok("An OpenAPI 3.1 document.", .object([.required("openapi", .text())]))]
    )

    /// The route that tells of these operations, and of itself.
    static func route(describing operations: [DescribedOperation]) -> ControlRoute {
        let document = OpenAPIDocument(
            title: "Sign in with Apple: the emulator's control port",
            description:
                "Registers, decides, breaks and watches. Every operation takes the name of a world, in the parameter `siwa_world` or the field `Siwa-World`. Refusals are problem documents (RFC 9457) with a stable code.",
            tags: ControlDescription.Group.allCases.map(\.rawValue),
            schemas: ControlSchemas.allCases.map { ($0.rawValue, $0.schema) },
            problem: ControlSchemas.problem.reference,
            operations: operations + [DescribedOperation(.get, path, about)]
        )
        let object = document.object
        return ControlRoute(path, [.get(about) { _ in .found(object) }])
    }
}
