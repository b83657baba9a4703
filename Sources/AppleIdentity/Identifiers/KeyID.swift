/// The name of a key: of a client secret's key, or of one in Apple's key set.
///
/// Source: [RFC 7515, section 4.1.4](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.4)
public struct KeyID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension KeyID {
    /// Whether the text has the form of a client secret's key: ten capital letters or digits.
    public var isWellFormed: Bool { rawValue.isTenCapitalsOrDigits }
}

extension String {
    var isTenCapitalsOrDigits: Bool {
        utf8.count == 10
            && utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }
}
