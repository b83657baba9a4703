import AppleEmulator

/// An address in brackets, and what follows it in a command.
struct SMTPPath {
    /// The address; nil for `<>`.
    let address: MailAddress?
    let parameters: [String]

    /// Reads what stands after `MAIL` or `RCPT`; nil when it is not `FROM:<…>` or `TO:<…>`.
    init?(_ text: Substring, keyword: String) {
        guard text.count > keyword.count,
            text.prefix(keyword.count).uppercased() == keyword.uppercased()
        else { return nil }
        // White space is not allowed here, but many clients send it.
        let rest = text.dropFirst(keyword.count).drop { $0 == " " }
        guard rest.first == "<", let end = Self.closing(of: rest) else { return nil }
        var path = rest[rest.index(after: rest.startIndex)..<end]
        // RFC 5321, section 4.1.1.3: a source route is taken and ignored.
        // https://www.rfc-editor.org/rfc/rfc5321#section-4.1.1.3
        if path.hasPrefix("@"), let colon = path.firstIndex(of: ":") {
            path = path[path.index(after: colon)...]
        }
        if path.isEmpty {
            address = nil
        } else {
            guard let address = MailAddress(String(path)) else { return nil }
            self.address = address
        }
        let parameters = rest[rest.index(after: end)...]
        guard parameters.isEmpty || parameters.hasPrefix(" ") else { return nil }
        self.parameters = parameters.split(separator: " ").map { $0.uppercased() }
    }

    /// The bracket that closes, not one within quotes.
    private static func closing(of text: Substring) -> Substring.Index? {
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ">", !isQuoted {
                return index
            }
        }
        return nil
    }
}
