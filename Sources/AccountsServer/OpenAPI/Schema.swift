import AppleIdentity

/// The JSON Schema of a value.
///
/// Source: [OpenAPI 3.1, Schema Object](https://spec.openapis.org/oas/v3.1.1.html#schema-object)
struct Schema: Sendable {
    private(set) var json: JSONObject

    private init(_ json: JSONObject) {
        self.json = json
    }

    static let anything = Schema([:])

    /// A text; lengths are in Unicode code points.
    static func text(
        _ description: String? = nil,
        format: String? = nil,
        lengths: ClosedRange<Int>? = nil
    ) -> Schema {
        var json: JSONObject = ["type": "string"]
        json["minLength"] = lengths.map { .integer($0.lowerBound) }
        json["maxLength"] = lengths.map { .integer($0.upperBound) }
        json["format"] = format.map { .string($0) }
        json["description"] = description.map { .string($0) }
        return Schema(json)
    }

    static func word(_ values: [String]) -> Schema {
        Schema(["type": "string", "enum": .array(values.map { .string($0) })])
    }

    static func flag(_ description: String? = nil) -> Schema {
        Schema(["type": "boolean"]).described(description)
    }

    static let integer = Schema(["type": "integer"])
    /// A time in ISO 8601, in UTC.
    static let time = text(format: "date-time")

    static func list(of element: Schema) -> Schema {
        Schema(["type": "array", "items": .object(element.json)])
    }

    /// An object that has these members and, when it is sent to the server, no others.
    static func object(_ fields: [Operation.Field], isClosed: Bool = false) -> Schema {
        var properties = JSONObject()
        for field in fields { properties[field.name] = .object(field.schema.json) }
        var json: JSONObject = ["type": "object", "properties": .object(properties)]
        let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { json["required"] = .array(required) }
        if isClosed { json["additionalProperties"] = .boolean(false) }
        return Schema(json)
    }

    static func named(_ name: Schemas) -> Schema {
        Schema(["$ref": .string("#/components/schemas/\(name.rawValue)")])
    }

    /// The same, or null.
    var orNull: Schema {
        guard let type = json["type"], json["enum"] == nil else {
            return Schema(["anyOf": .array([.object(json), .object(["type": "null"])])])
        }
        var nullable = self
        nullable.json["type"] = .array([type, "null"])
        return nullable
    }

    func described(_ description: String?) -> Schema {
        var described = self
        described.json["description"] = description.map { .string($0) }
        return described
    }

    /// What a reader is told of the type.
    var typeName: String {
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

    var description: String? { json["description"]?.stringValue }
}
