import Foundation

/// The members of an object from outside, read with their types.
///
/// A member that is null counts as missing.
package struct JSONFields {
    package let object: JSONObject
    /// The path of the object in a larger one, as in `fullName.`.
    private let path: String

    package init(_ object: JSONObject, path: String = "") {
        self.object = object
        self.path = path
    }

    package func text(_ name: String) throws(JSONFieldError) -> String {
        try require(name, optionalText(name))
    }

    package func optionalText(_ name: String) throws(JSONFieldError) -> String? {
        try optional(name, "a string", \.stringValue)
    }

    /// The change of a text: nil if the member is missing, and a text that is nil if it is null.
    package func textChange(_ name: String) throws(JSONFieldError) -> String?? {
        guard object[name] != nil else { return nil }
        return .some(try optionalText(name))
    }

    package func integer(_ name: String) throws(JSONFieldError) -> Int {
        try require(name, optional(name, "a whole number", \.integerValue))
    }

    /// A member with seconds since 1970.
    package func time(_ name: String) throws(JSONFieldError) -> Date {
        try require(name, optional(name, "a number", \.timeValue))
    }

    package func number(_ name: String) throws(JSONFieldError) -> Double {
        try require(name, optional(name, "a number", \.numberValue))
    }

    package func optionalBoolean(_ name: String) throws(JSONFieldError) -> Bool? {
        try optional(name, "true or false", \.booleanValue)
    }

    /// The truth value of a member that Apple sends, if it is present.
    package func optionalLenientBoolean(_ name: String) throws(JSONFieldError) -> Bool? {
        try optional(name, "true or false", \.lenientBooleanValue)
    }

    package func optionalTexts(_ name: String) throws(JSONFieldError) -> [String]? {
        try optional(name, "an array of strings", \.textsValue)
    }

    package func optionalFields(_ name: String) throws(JSONFieldError) -> JSONFields? {
        try optional(name, "an object", \.objectValue)
            .map { JSONFields($0, path: path + name + ".") }
    }

    /// Rejects members with other names.
    package func refuseOthers(than names: [String]) throws(JSONFieldError) {
        guard let other = object.names.first(where: { !names.contains($0) }) else { return }
        throw .unknown(path + other, known: names)
    }

    /// The content of a member, if it is present.
    package func optional<Content>(
        _ name: String,
        _ expected: String,
        _ content: (JSONValue) -> Content?
    ) throws(JSONFieldError) -> Content? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let content = content(value) else {
            throw .wrongType(path + name, expected: expected)
        }
        return content
    }

    /// The content of a required member.
    package func require<Content>(
        _ name: String,
        _ content: Content?
    ) throws(JSONFieldError) -> Content {
        guard let content else { throw .missing(path + name) }
        return content
    }
}

/// A missing, unknown or wrong member of an object; names include their path.
package enum JSONFieldError: Error, Hashable, Sendable {
    case missing(String)
    case wrongType(String, expected: String)
    case unknown(String, known: [String])
}

extension JSONFieldError: CustomStringConvertible {
    /// The reason in one sentence, on one line of printable characters.
    package var description: String {
        switch self {
        case .missing(let name): "\(Excerpt.quoting(name)) is missing"
        case .wrongType(let name, let expected): "\(Excerpt.quoting(name)) is not \(expected)"
        case .unknown(let name, let known):
            "\(Excerpt.quoting(name)) is unknown; known: \(known.joined(separator: ", "))"
        }
    }
}
