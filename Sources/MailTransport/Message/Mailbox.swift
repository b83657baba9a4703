import Foundation

/// An address that mail comes from or goes to, and whose it is.
public struct Mailbox: Hashable, Sendable {
    /// How long an address may be, in bytes.
    ///
    /// Source: [RFC 5321, section 4.5.3.1](https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1)
    static let maximumAddressByteCount = 254
    static let maximumLocalPartByteCount = 64
    /// How long a name may be, in characters.
    static let maximumNameCharacterCount = 100

    /// Whose it is; nil when nobody is named.
    public let name: String?
    /// The address.
    public let address: String

    /// Makes a mailbox.
    ///
    /// - Parameters:
    ///   - name: whose it is; line breaks and control characters become spaces, and what is too long is cut.
    ///   - address: the address.
    /// - Throws: ``SMTPAddressError`` when it is no address that mail can be sent to.
    public init(name: String?, address: String) throws(SMTPAddressError) {
        guard Self.isAddress(address) else {
            throw SMTPAddressError(
                "is not an e-mail address",
                fix: "write it like no-reply@example.com or Juice <no-reply@example.com>"
            )
        }
        let name = name.map {
            HeaderText.cleaned($0, maximumCharacterCount: Self.maximumNameCharacterCount)
        }
        self.name = name?.isEmpty == true ? nil : name
        self.address = address
    }

    /// Reads a mailbox as people write it.
    ///
    /// - Parameter text: an address, or a name and the address in angle brackets.
    /// - Throws: ``SMTPAddressError`` when it is neither.
    public init(_ text: String) throws(SMTPAddressError) {
        guard let open = text.lastIndex(of: "<"), text.hasSuffix(">") else {
            try self.init(name: nil, address: text)
            return
        }
        let name = text[..<open].trimmingCharacters(in: .whitespaces)
        let isQuoted = name.count >= 2 && name.hasPrefix("\"") && name.hasSuffix("\"")
        try self.init(
            name: isQuoted ? String(name.dropFirst().dropLast()) : name,
            address: String(text[text.index(after: open)...].dropLast())
        )
    }

    /// What stands behind the `@`.
    public var domain: String { address.split(separator: "@").last.map(String.init) ?? "" }

    /// The mailbox as a header has it.
    func headerText(after fieldName: String) -> String {
        guard let name else { return address }
        return HeaderText.mailbox(name, address, after: fieldName)
    }

    /// Whether a text is an address: of dots and the usual characters, without quotes, brackets or blanks, so
    /// that nothing in it could end a command or a header field.
    private static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= maximumAddressByteCount else { return false }
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].utf8.count <= maximumLocalPartByteCount else {
            return false
        }
        return parts(of: halves[0]).allSatisfy { part in
            !part.isEmpty && part.unicodeScalars.allSatisfy(isLocalCharacter)
        }
            && parts(of: halves[1]).allSatisfy { part in
                !part.isEmpty && !part.hasPrefix("-") && !part.hasSuffix("-")
                    && part.unicodeScalars.allSatisfy { isWordCharacter($0) || $0 == "-" }
            }
    }

    private static func parts(of text: Substring) -> [Substring] {
        text.split(separator: ".", omittingEmptySubsequences: false)
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
