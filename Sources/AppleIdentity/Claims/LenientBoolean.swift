/// A truth value that Apple sends as `true` or, until February 2024, as `"true"`.
///
/// Only the two booleans and the strings "true" and "false" decode; any other value is refused.
/// Source: [Authenticating users](https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple)
public struct LenientBoolean: Hashable, Sendable, Codable, ExpressibleByBooleanLiteral {
    /// The truth value.
    public var value: Bool

    /// Makes the value.
    public init(_ value: Bool) {
        self.value = value
    }

    /// Makes the value from a literal.
    public init(booleanLiteral value: Bool) {
        self.value = value
    }

    /// Decodes a boolean or one of the strings "true" and "false".
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self.value = value
            return
        }
        switch try container.decode(String.self) {
        case "true": value = true
        case "false": value = false
        default:
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "neither a boolean nor \"true\" or \"false\""
            )
        }
    }

    /// Encodes a boolean.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
