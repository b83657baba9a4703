/// Where a mail server listens.
package struct MailServerAddress: Hashable, Sendable {
    /// The server's name or address.
    package let host: String
    /// Its port.
    package let port: Int

    /// Reads `host:port`; nil when it is something else.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.count <= 255, !host.contains(where: \.isWhitespace) else {
            return nil
        }
        self.host = String(host)
        self.port = port
    }
}
