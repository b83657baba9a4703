import AppleIdentity
import HTTPTypes

/// The description of all operations of a server.
///
/// Source: [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.1.html)
package struct OpenAPIDocument: Sendable {
    private let title: String
    private let description: String
    private let tags: [String]
    private let securitySchemes: JSONObject
    private let schemas: [(name: String, schema: JSONSchema)]
    private let problem: JSONSchema
    private let operations: [DescribedOperation]

    package init(
        title: String,
        description: String,
        tags: [String],
        securitySchemes: JSONObject = [:],
        schemas: [(name: String, schema: JSONSchema)],
        problem: JSONSchema,
        operations: [DescribedOperation]
    ) {
        self.title = title
        self.description = description
        self.tags = tags
        self.securitySchemes = securitySchemes
        self.schemas = schemas
        self.problem = problem
        self.operations = operations
    }

    package var object: JSONObject {
        [
            "openapi": "3.1.0",
            "info": .object([
                "title": .string(title), "version": "1", "description": .string(description),
            ]),
            "tags": .array(tags.map { .object(["name": .string($0)]) }),
            "paths": .object(paths),
            "components": .object(components),
        ]
    }

    private var paths: JSONObject {
        var paths = JSONObject()
        for operation in operations {
            var methods = paths[operation.path]?.objectValue ?? JSONObject()
            let method = operation.method.rawValue.lowercased()
            methods[method] = .object(operation.json(problem: problem))
            paths[operation.path] = .object(methods)
        }
        return paths
    }

    private var components: JSONObject {
        var described = JSONObject()
        for (name, schema) in schemas { described[name] = .object(schema.json) }
        var components: JSONObject = ["schemas": .object(described)]
        if !securitySchemes.members.isEmpty {
            components["securitySchemes"] = .object(securitySchemes)
        }
        return components
    }
}
