package struct MailAddress: Hashable, Sendable {
    /// The maximum size of the part before the `@`, in bytes: RFC 5321, section 4.5.3.1.1.
    static let maximumLocalPartByteCount = 64
    /// The maximum size of the domain, in bytes: RFC 5321, section 4.5.3.1.2.
    static let maximumDomainByteCount = 255
    /// The maximum size in bytes: a path of RFC 5321, section 4.5.3.1.3, without its brackets.
    static let maximumByteCount = 254

    /// The part before the `@`, with quotes.
    let localPart: String
    let domain: String

    /// Parses an address without brackets; nil if it is invalid.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount, let at = text.lastIndex(of: "@") else {
            return nil
        }
        localPart = String(text[..<at])
        domain = String(text[text.index(after: at)...])
        guard Self.isLocalPart(localPart), Self.isDomain(domain) else { return nil }
    }

    private init(localPart: String, domain: String) {
        self.localPart = localPart
        self.domain = domain
    }

    /// The value until the address is known.
    static let unknown = MailAddress(localPart: "nobody", domain: "invalid")

    package var text: String { localPart + "@" + domain }

    package var isInternational: Bool { !text.utf8.allSatisfy { $0 < 0x80 } }

    /// The key for comparison, which ignores case as mail servers do.
    var key: String { text.lowercased() }

    func isUnder(_ other: String) -> Bool { domain.lowercased() == other.lowercased() }

    private static func isLocalPart(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= maximumLocalPartByteCount else { return false }
        if text.hasPrefix("\"") { return isQuotedString(text) }
        return text.split(separator: ".", omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(isAtomCharacter) }
    }

    /// RFC 5321, section 4.1.2: printable characters between quotes, some of them escaped.
    /// https://www.rfc-editor.org/rfc/rfc5321#section-4.1.2
    private static func isQuotedString(_ text: String) -> Bool {
        guard text.utf8.count >= 2, text.hasSuffix("\"") else { return false }
        var isEscaped = false
        for scalar in text.dropFirst().dropLast().unicodeScalars {
            guard scalar.value >= 0x20, scalar.value != 0x7F else { return false }
            if !isEscaped, scalar == "\"" { return false }
            isEscaped = !isEscaped && scalar == "\\"
        }
        return !isEscaped
    }

    private static func isAtomCharacter(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.generalCategory != .control }
        return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
    }

    private static func isDomain(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= maximumDomainByteCount else { return false }
        if text.hasPrefix("["), text.hasSuffix("]") {
            return text.dropFirst().dropLast().utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && !"[]\\<>".utf8.contains($0)
            }
        }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.unicodeScalars.allSatisfy(isDomainCharacter)
        }
    }

    private static func isDomainCharacter(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isAlphabetic }
        return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-"
    }
}
