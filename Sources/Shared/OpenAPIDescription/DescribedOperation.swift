import AppleIdentity
import HTTPTypes

/// The description of one method of a path, for any server.
package struct DescribedOperation: Sendable {
    /// A successful response.
    package struct Answer: Sendable {
        package let status: HTTPResponse.Status
        /// The content, and when it is sent.
        package let description: String
        package var schema: JSONSchema?
        package var contentType: String

        package init(
            status: HTTPResponse.Status,
            description: String,
            schema: JSONSchema? = nil,
            contentType: String = "application/json"
        ) {
            self.status = status
            self.description = description
            self.schema = schema
            self.contentType = contentType
        }

        package static func ok(_ description: String, _ schema: JSONSchema) -> Answer {
            Answer(status: .ok, description: description, schema: schema)
        }

        package static func created(_ description: String, _ schema: JSONSchema) -> Answer {
            Answer(status: .created, description: description, schema: schema)
        }

        package static func accepted(_ description: String) -> Answer {
            Answer(status: .accepted, description: description)
        }

        package static func done(_ description: String) -> Answer {
            Answer(status: .noContent, description: description)
        }
    }

    /// The error codes of one status, as problem documents.
    package struct Refusals: Sendable {
        let status: HTTPResponse.Status
        let codes: [String]
        /// A header field of these responses.
        let headerField: JSONSchema.Field?

        package init(
            status: HTTPResponse.Status,
            codes: [String],
            headerField: JSONSchema.Field? = nil
        ) {
            self.status = status
            self.codes = codes
            self.headerField = headerField
        }
    }

    package let method: HTTPRequest.Method
    /// The path, with its variables in braces.
    package let path: String
    /// The name of the operation in generated clients, unique in a document.
    package let id: String
    /// The heading of the operation.
    package let tag: String
    package let summary: String
    /// The required security scheme; nil for none.
    package var security: String?
    package var pathFields: [JSONSchema.Field] = []
    package var queryFields: [JSONSchema.Field] = []
    package var body: JSONSchema?
    package var isBodyRequired = true
    package var bodyType = "application/json"
    package var answers: [Answer]
    package var refusals: [Refusals] = []

    /// Creates an operation without parameters and error responses.
    package init(
        _ method: HTTPRequest.Method,
        _ path: String,
        id: String,
        tag: String,
        summary: String,
        answers: [Answer]
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.tag = tag
        self.summary = summary
        self.answers = answers
    }
}

extension DescribedOperation {
    /// The operation in the form of OpenAPI.
    func json(problem: JSONSchema) -> JSONObject {
        var object: JSONObject = [
            "operationId": .string(id), "summary": .string(summary),
            "tags": .array([.string(tag)]),
        ]
        if let security { object["security"] = .array([.object([security: .array([])])]) }
        let parameters =
            pathFields.map { Self.parameter($0, in: "path") }
            + queryFields.map { Self.parameter($0, in: "query") }
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        if let body {
            object["requestBody"] = .object([
                "required": .boolean(isBodyRequired),
                "content": Self.content(body, bodyType),
            ])
        }
        object["responses"] = .object(responses(problem))
        return object
    }

    private static func parameter(_ field: JSONSchema.Field, in place: String) -> JSONValue {
        .object([
            "name": .string(field.name), "in": .string(place),
            "required": .boolean(field.isRequired), "schema": .object(field.schema.json),
        ])
    }

    private func responses(_ problem: JSONSchema) -> JSONObject {
        var responses = JSONObject()
        for answer in answers {
            var success: JSONObject = ["description": .string(answer.description)]
            success["content"] = answer.schema.map { Self.content($0, answer.contentType) }
            responses["\(answer.status.code)"] = .object(success)
        }
        for refusals in refusals.sorted(by: { $0.status.code < $1.status.code }) {
            responses["\(refusals.status.code)"] = .object(Self.refusal(refusals, problem))
        }
        return responses
    }

    private static func refusal(_ refusals: Refusals, _ problem: JSONSchema) -> JSONObject {
        var response: JSONObject = [
            "description": .string(refusals.codes.map { "`\($0)`" }.joined(separator: ", ")),
            "content": content(problem, "application/problem+json"),
        ]
        response["headers"] = refusals.headerField.map {
            .object([$0.name: .object(["schema": .object($0.schema.json)])])
        }
        return response
    }

    private static func content(_ schema: JSONSchema, _ type: String) -> JSONValue {
        .object([type: .object(["schema": .object(schema.json)])])
    }
}
