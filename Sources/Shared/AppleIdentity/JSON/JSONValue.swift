import Foundation

/// Any JSON value, with the members of objects in order.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
package enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number without a fraction.
    case integer(Int)
    /// A number with a fraction, or one too large for an integer.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    package var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var integerValue: Int? {
        if case .integer(let value) = self { value } else { nil }
    }

    package var booleanValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    package var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    package var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }
}

extension JSONValue {
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    package var numberValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The time, if this is a number of seconds since 1970.
    package var timeValue: Date? { numberValue.map { Date(timeIntervalSince1970: $0) } }

    /// A truth value that Apple sends as `true` or, until February 2024, as `"true"`.
    ///
    /// Source: [Authenticating users](https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple)
    package var lenientBooleanValue: Bool? {
        switch self {
        case .boolean(let value): value
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }

    package var textsValue: [String]? {
        guard let values = arrayValue else { return nil }
        let texts = values.compactMap(\.stringValue)
        return texts.count == values.count ? texts : nil
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }
}

extension Optional {
    /// Takes the content of a member; false if it has another type, which is nil.
    @inlinable
    package mutating func fill(_ content: Wrapped?) -> Bool {
        self = content
        return content != nil
    }
}
