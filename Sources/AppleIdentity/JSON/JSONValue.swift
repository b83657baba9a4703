import Foundation

/// Any JSON value, with the members of objects in order.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
package enum JSONValue: Hashable, Sendable {
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

    /// The text when this is a string.
    package var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number when this is an integer.
    package var integerValue: Int? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The truth value when this is one.
    package var booleanValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The members when this is an object.
    package var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The elements when this is an array.
    package var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }
}

extension JSONValue {
    /// Whether this is `null`.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The number of either kind.
    package var numberValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The time when this is a number, which counts seconds since 1970.
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

    /// The texts when this is a list of nothing else.
    package var textsValue: [String]? {
        guard let values = arrayValue else { return nil }
        let texts = values.compactMap(\.stringValue)
        return texts.count == values.count ? texts : nil
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a string.
    package init(stringLiteral value: String) { self = .string(value) }
    /// Makes an integer.
    package init(integerLiteral value: Int) { self = .integer(value) }
    /// Makes a truth value.
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Makes an array.
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Makes an object, in the order written.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }
}
