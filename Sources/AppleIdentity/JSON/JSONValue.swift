import Foundation

/// Any JSON value, with the members of objects in order.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number without a fraction.
    case integer(Int)
    /// A number with a fraction, or one too large for an integer.
    case number(Double)
    /// A text.
    case string(String)
    /// A list of values.
    case array([JSONValue])
    /// An object with members in order.
    case object(JSONObject)

    /// Reads a value from JSON text; the members of objects arrive sorted by name.
    ///
    /// - Parameter data: the text in UTF-8.
    /// - Throws: `DecodingError` when the text is not JSON, or nests deeper than 16 levels.
    public init(parsing data: Data) throws {
        guard JSONDepth.isAcceptable(data) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [],
                    debugDescription:
                        "not UTF-8, or nested deeper than \(JSONDepth.maximumLevelCount) levels"
                )
            )
        }
        self = try JSONDecoder().decode(JSONValue.self, from: data)
    }

    /// The text when this is a string.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number when this is an integer.
    public var integerValue: Int? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The truth value when this is one.
    public var booleanValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The members when this is an object.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The elements when this is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }
}

extension JSONValue: Codable {
    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            // A fraction too small for a `Double` leaves a whole number, which is written as one.
            self = Int(exactly: value).map(JSONValue.integer) ?? .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            let members = try container.decode([String: JSONValue].self)
            self = .object(
                JSONObject(
                    members.sorted { $0.key < $1.key }
                        .map { JSONObject.Member(name: $0.key, value: $0.value) }
                )
            )
        }
    }

    /// Encodes the value; an encoder of its own choosing decides the order of members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let object):
            try container.encode(
                Dictionary(object.members.map { ($0.name, $0.value) }) { first, _ in first }
            )
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Makes a truth value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Makes an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Makes an object, in the order written.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(
            JSONObject(elements.map { JSONObject.Member(name: $0.0, value: $0.1) })
        )
    }
}
