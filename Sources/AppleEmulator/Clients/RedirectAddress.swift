import Foundation

/// A redirect address, and what Apple would say to it.
struct RedirectAddress {
    static let maximumByteCount = 2_048

    let text: String

    init(_ text: String) { self.text = text }

    /// Why the address can't be registered, not even here; nil when it can.
    var registrationFault: String? {
        guard text.utf8.count <= Self.maximumByteCount else {
            return "is longer than \(Self.maximumByteCount) bytes"
        }
        // RFC 3986, section 2: a URI has visible ASCII characters only.
        // https://www.rfc-editor.org/rfc/rfc3986#section-2
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return "has a space, a control character or a letter outside of ASCII"
        }
        guard let url, let scheme = url.scheme?.lowercased(), let host = url.encodedHost,
            !host.isEmpty
        else { return "is not an absolute address" }
        // Apple: the address has a domain name, no IP address or localhost, and no fragment.
        // https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.
        guard url.fragment == nil else { return "has a fragment" }
        guard url.user == nil, url.password == nil else { return "has a user or a password" }
        guard hasValidPort(url) else { return "has a port that is not from 1 to 65535" }
        if isLocal { return ["http", "https"].contains(scheme) ? nil : "is not http or https" }
        guard scheme == "https" else { return "is not https" }
        guard !Self.isInternetProtocolAddress(host) else {
            return "has an IP address, not a domain"
        }
        return Self.isDomainName(host) ? nil : "has a host that is no domain name"
    }

    /// Where the address leads that nobody else reaches, in the words of the log; nil for a public one.
    ///
    /// Apple would not accept it. Here it may be plain `http`, unless the emulator is strict.
    var localPlace: String? {
        guard let host = url?.encodedHost?.lowercased() else { return nil }
        if Self.isLoopback(host) { return "this machine" }
        return Self.isContainerName(host) ? "a container or another machine nearby" : nil
    }

    private var isLocal: Bool { localPlace != nil }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") && isDomainName(host)
            || host.hasPrefix("127.") && isInternetProtocolAddress(host) || host == "[::1]"
    }

    /// A name without a dot, as compose gives to its services, or one below `internal`, which belongs to nobody:
    /// `host.docker.internal` is the machine that a container runs on.
    ///
    /// Source: [ICANN, .INTERNAL](https://www.icann.org/en/board-activities-and-meetings/materials/approved-resolutions-special-meeting-of-the-icann-board-29-07-2024-en)
    private static func isContainerName(_ host: String) -> Bool {
        isDomainName(host) && !isInternetProtocolAddress(host)
            && (!host.contains(".") || host.hasSuffix(".internal"))
    }

    private var url: URLComponents? {
        URLComponents(string: text, encodingInvalidCharacters: false)
    }

    private func hasValidPort(_ url: URLComponents) -> Bool {
        guard let range = url.rangeOfPort else {
            // A colon without digits behind it, or with too many, is no port to the parser.
            return url.rangeOfHost.map { !text[$0.upperBound...].hasPrefix(":") } ?? true
        }
        return Int(text[range]).map { (1...65_535).contains($0) } ?? false
    }

    /// As browsers judge: the last label decides, also before a dot at the end.
    ///
    /// Source: [URL, "ends in a number"](https://url.spec.whatwg.org/#ends-in-a-number-checker)
    private static func isInternetProtocolAddress(_ host: String) -> Bool {
        if host.contains(":") || host.hasPrefix("[") { return true }
        let host = host.hasSuffix(".") ? host.dropLast() : host[...]
        let last = host.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        return !last.isEmpty && last.allSatisfy { $0.isASCII && $0.isNumber }
            || last.lowercased().hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    /// Labels of letters, digits and hyphens; browsers also take an underscore.
    ///
    /// Source: [RFC 1123, section 2.1](https://www.rfc-editor.org/rfc/rfc1123#section-2.1)
    private static func isDomainName(_ host: String) -> Bool {
        host.utf8.count <= 253
            && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.allSatisfy {
                        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
                    }
            }
    }
}
