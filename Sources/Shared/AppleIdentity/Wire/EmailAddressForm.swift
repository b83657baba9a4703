/// The form of an email address, the one rule for accepting and sending.
package enum EmailAddressForm {
    /// The maximum length of an email address, in bytes.
    ///
    /// Source: [RFC 5321, section 4.5.3.1](https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1)
    package static let maximumByteCount = 254
    private static let maximumLocalPartByteCount = 64
    /// The maximum length of a part of the domain, in bytes.
    ///
    /// Source: [RFC 1035, section 2.3.4](https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4)
    private static let maximumLabelByteCount = 63

    /// Whether a string is an email address of usual characters, without quotes, brackets or blanks.
    ///
    /// Nothing in it can end a command or a header field.
    package static func isWellFormed(_ text: String) -> Bool {
        guard text.utf8.count <= maximumByteCount, !text.hasPrefix("-") else { return false }
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].utf8.count <= maximumLocalPartByteCount else {
            return false
        }
        return parts(of: halves[0]).allSatisfy { part in
            !part.isEmpty && part.unicodeScalars.allSatisfy(isLocalCharacter)
        } && parts(of: halves[1]).allSatisfy(isLabel)
    }

    private static func parts(of text: Substring) -> [Substring] {
        text.split(separator: ".", omittingEmptySubsequences: false)
    }

    private static func isLabel(_ text: Substring) -> Bool {
        (1...maximumLabelByteCount).contains(text.utf8.count)
            && !text.hasPrefix("-") && !text.hasSuffix("-")
            && text.unicodeScalars.allSatisfy { isWordCharacter($0) || $0 == "-" }
    }

    private static func isLocalCharacter(_ scalar: Unicode.Scalar) -> Bool {
        isWordCharacter(scalar) || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
    }

    private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }
}
