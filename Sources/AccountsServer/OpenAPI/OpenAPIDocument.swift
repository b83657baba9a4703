import Accounts
import AppleIdentity
import HTTPTypes

/// A route for programs with where it is.
struct DescribedRoute: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let operation: Operation
}

/// The description of all routes for programs.
///
/// Source: [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.1.html)
struct OpenAPIDocument: Sendable {
    let appName: String
    let routes: [DescribedRoute]

    var object: JSONObject {
        var paths = JSONObject()
        for route in routes {
            var methods = JSONObject()
            if case .object(let known) = paths[route.path] { methods = known }
            methods[route.method.rawValue.lowercased()] = .object(Self.object(route))
            paths[route.path] = .object(methods)
        }
        return [
            "openapi": "3.1.0",
            "info": .object([
                "title": .string("\(appName): accounts"),
                "version": "1",
                "description":
                    "Sign in with Apple or a password, sessions, and the account. Refusals are problem documents (RFC 9457) with a stable code.",
            ]),
            "tags": .array(
                Operation.Group.allCases.map { .object(["name": .string($0.rawValue)]) }
            ),
            "paths": .object(paths),
            "components": .object(Self.components),
        ]
    }

    private static var components: JSONObject {
        var schemas = JSONObject()
        for name in Schemas.allCases { schemas[name.rawValue] = .object(name.schema.json) }
        return [
            "securitySchemes": .object([
                "session": .object([
                    "type": "http", "scheme": "bearer",
                    "description": "The token that a sign-in answers.",
                ])
            ]),
            "schemas": .object(schemas),
        ]
    }

    private static func object(_ route: DescribedRoute) -> JSONObject {
        let operation = route.operation
        var object: JSONObject = [
            "operationId": .string(operation.id),
            "summary": .string(operation.summary),
            "tags": .array([.string(operation.group.rawValue)]),
        ]
        if operation.access == .session {
            object["security"] = .array([.object(["session": .array([])])])
        }
        if !operation.parameters.isEmpty {
            object["parameters"] = .array(operation.parameters.map { .object(parameter($0)) })
        }
        if !operation.fields.isEmpty {
            object["requestBody"] = .object([
                "required": .boolean(true),
                "content": content(.object(operation.fields, isClosed: true), "application/json"),
            ])
        }
        object["responses"] = .object(responses(of: route))
        return object
    }

    private static func parameter(_ field: Operation.Field) -> JSONObject {
        [
            "name": .string(field.name), "in": "path", "required": .boolean(true),
            "schema": .object(field.schema.json),
        ]
    }

    private static func responses(of route: DescribedRoute) -> JSONObject {
        let answer = route.operation.answer
        var success: JSONObject = ["description": .string(answer.description)]
        success["content"] = answer.schema.map { content($0, answer.contentType) }
        var responses: JSONObject = ["\(answer.status.code)": .object(success)]
        var refusals = route.operation.refusalsByStatus
        if route.method == .post, refusals[.tooManyRequests] == nil {
            refusals[.tooManyRequests] = [AccountsError.Code.tooManyAttempts.rawValue]
        }
        for (status, codes) in refusals.sorted(by: { $0.key.code < $1.key.code }) {
            responses["\(status.code)"] = .object(refusal(status, codes))
        }
        return responses
    }

    private static func refusal(_ status: HTTPResponse.Status, _ codes: [String]) -> JSONObject {
        var response: JSONObject = [
            "description": .string(codes.map { "`\($0)`" }.joined(separator: ", ")),
            "content": content(.named(.problem), "application/problem+json"),
        ]
        let field: (name: String, schema: Schema)? =
            switch status {
            case .unauthorized: ("WWW-Authenticate", .text())
            case .tooManyRequests, .serviceUnavailable: ("Retry-After", .text("Seconds."))
            default: nil
            }
        response["headers"] = field.map {
            .object([$0.name: .object(["schema": .object($0.schema.json)])])
        }
        return response
    }

    private static func content(_ schema: Schema, _ type: String) -> JSONValue {
        .object([type: .object(["schema": .object(schema.json)])])
    }
}
