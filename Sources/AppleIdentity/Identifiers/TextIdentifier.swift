/// A text whose meaning comes from its type, so that a team cannot be passed where a key is meant.
public protocol TextIdentifier: RawRepresentable, Hashable, Codable, Sendable,
    ExpressibleByStringLiteral, CustomStringConvertible
where RawValue == String {
    /// Makes the identifier from its text, compared case-sensitively and never normalized.
    init(rawValue: String)
}

extension TextIdentifier {
    /// Makes the identifier from a text.
    public init(_ text: String) {
        self.init(rawValue: text)
    }

    /// Makes the identifier from a literal in source code.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The text itself.
    public var description: String { rawValue }
}
