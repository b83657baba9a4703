import AppleIdentity

/// The JSON Schema of a value.
///
/// Source: [OpenAPI 3.1, Schema Object](https://spec.openapis.org/oas/v3.1.1.html#schema-object)
package struct JSONSchema: Sendable {
    /// A member of an object, or a parameter of a request.
    package struct Field: Sendable {
        package let name: String
        package let schema: JSONSchema
        package let isRequired: Bool

        package static func required(_ name: String, _ schema: JSONSchema) -> Field {
            Field(name: name, schema: schema, isRequired: true)
        }

        package static func optional(_ name: String, _ schema: JSONSchema) -> Field {
            Field(name: name, schema: schema, isRequired: false)
        }
    }

    /// The schema in the form of OpenAPI.
    package private(set) var json: JSONObject

    private init(_ json: JSONObject) { self.json = json }

    package static let anything = JSONSchema([:])
    /// An object with any members.
    package static let members = JSONSchema(["type": "object"])
    package static let integer = JSONSchema(["type": "integer"])
    package static let number = JSONSchema(["type": "number"])
    /// A time in ISO 8601, in UTC.
    package static let time = text(format: "date-time")

    /// A string; lengths are in Unicode code points, the pattern is a regular expression of ECMA-262.
    package static func text(
        _ description: String? = nil,
        format: String? = nil,
        lengths: ClosedRange<Int>? = nil,
        pattern: String? = nil
    ) -> JSONSchema {
        var json: JSONObject = ["type": "string"]
        json["minLength"] = lengths.map { .integer($0.lowerBound) }
        json["maxLength"] = lengths.map { .integer($0.upperBound) }
        json["format"] = format.map { .string($0) }
        json["pattern"] = pattern.map { .string($0) }
        json["description"] = description.map { .string($0) }
        return JSONSchema(json)
    }

    /// One of a few strings.
    package static func word(_ values: [String]) -> JSONSchema {
        JSONSchema(["type": "string", "enum": .array(values.map { .string($0) })])
    }

    package static func flag(_ description: String? = nil) -> JSONSchema {
        JSONSchema(["type": "boolean"]).described(description)
    }

    /// A whole number in a range.
    package static func integer(
        _ description: String? = nil,
        in range: ClosedRange<Int>
    ) -> JSONSchema {
        JSONSchema([
            "type": "integer", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ]).described(description)
    }

    /// An array, with its maximum length if it has one.
    package static func list(of element: JSONSchema, maximumCount: Int? = nil) -> JSONSchema {
        var json: JSONObject = ["type": "array", "items": .object(element.json)]
        json["maxItems"] = maximumCount.map { .integer($0) }
        return JSONSchema(json)
    }

    /// An object with these members and, if it is closed, no others.
    package static func object(_ fields: [Field], isClosed: Bool = false) -> JSONSchema {
        var properties = JSONObject()
        for field in fields { properties[field.name] = .object(field.schema.json) }
        var json: JSONObject = ["type": "object", "properties": .object(properties)]
        let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { json["required"] = .array(required) }
        if isClosed { json["additionalProperties"] = .boolean(false) }
        return JSONSchema(json)
    }

    /// A reference to a named schema of the document.
    package static func reference(to name: String) -> JSONSchema {
        JSONSchema(["$ref": .string("#/components/schemas/\(name)")])
    }

    /// The schema with rules that it has no function for, such as `oneOf`.
    package func restricted(by rules: JSONObject) -> JSONSchema {
        JSONSchema(rules.members.reduce(into: json) { $0[$1.name] = $1.value })
    }

    /// A rule that a member is neither missing nor null and fits a schema, for ``restricted(by:)``.
    package static func has(_ name: String, _ schema: JSONObject = [:]) -> JSONObject {
        let types: JSONObject = ["type": ["string", "number", "boolean", "array", "object"]]
        let value = schema.members.reduce(into: types) { $0[$1.name] = $1.value }
        return ["required": [.string(name)], "properties": .object([name: .object(value)])]
    }

    /// A rule that two rules for members do not hold together, for ``restricted(by:)``.
    package static func not(_ first: JSONObject, and second: JSONObject) -> JSONValue {
        ["not": ["allOf": [.object(first), .object(second)]]]
    }

    package var orNull: JSONSchema {
        if json.members.isEmpty { return self }
        guard let type = json["type"], json["enum"] == nil else {
            return JSONSchema(["anyOf": .array([.object(json), .object(["type": "null"])])])
        }
        var nullable = self
        nullable.json["type"] = .array([type, "null"])
        return nullable
    }

    package func described(_ description: String?) -> JSONSchema {
        var described = self
        described.json["description"] = description.map { .string($0) }
        return described
    }

    /// The type as a reader sees it.
    package var typeName: String {
        if let reference = json["$ref"]?.stringValue {
            return String(reference.split(separator: "/").last ?? "")
        }
        if let format = json["format"]?.stringValue { return format }
        switch json["type"] {
        case .string(let type): return type
        case .array(let types): return types.compactMap(\.stringValue).joined(separator: " or ")
        default: return "object or null"
        }
    }

    package var description: String? { json["description"]?.stringValue }
}
