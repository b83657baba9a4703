import Foundation

/// A redirect URI, checked according to Apple's rules.
struct RedirectURI {
    static let maximumByteCount = 2_048

    let text: String

    init(_ text: String) { self.text = text }

    /// The reason why the URI cannot be registered, even in the emulator; nil if it can.
    var registrationFault: String? {
        guard text.utf8.count <= Self.maximumByteCount else {
            return "is longer than \(Self.maximumByteCount) bytes"
        }
        // RFC 3986, section 2: a URI has visible ASCII characters only.
        // https://www.rfc-editor.org/rfc/rfc3986#section-2
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return "has a space, a control character or a non-ASCII character"
        }
        guard let url, let scheme = url.scheme?.lowercased(), let host = url.encodedHost,
            !host.isEmpty
        else { return "is not an absolute URL" }
        // Apple: the URI has a domain name, no IP address or localhost, and no fragment.
        // https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.
        guard url.fragment == nil else { return "has a fragment" }
        guard url.user == nil, url.password == nil else { return "has a user name or a password" }
        guard hasValidPort(url) else { return "has a port outside of 1 to 65535" }
        if isLocal {
            return ["http", "https"].contains(scheme) ? nil : "does not use http or https"
        }
        guard scheme == "https" else { return "does not use https" }
        guard !Self.isInternetProtocolAddress(host) else {
            return "has an IP address instead of a domain name"
        }
        return Self.isDomainName(host) ? nil : "has a host that is not a domain name"
    }

    /// The place of a host that is not public, as words for the log; nil for a public host.
    ///
    /// Apple accepts no such host. The emulator does, even over plain `http`, unless it is strict.
    var localPlace: String? {
        guard let host = url?.encodedHost?.lowercased() else { return nil }
        if Self.isLoopback(host) { return "this machine" }
        let isNear = Self.isPrivateName(host) || Self.isPrivateAddress(host)
        return isNear ? "a container or another machine nearby" : nil
    }

    private var isLocal: Bool { localPlace != nil }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") && isDomainName(host)
            || host.hasPrefix("127.") && isInternetProtocolAddress(host) || host == "[::1]"
    }

    /// Domains that no public host has; `svc.cluster.local` of Kubernetes is under `local`.
    ///
    /// Source: [RFC 6761, section 6.2](https://www.rfc-editor.org/rfc/rfc6761#section-6.2),
    /// [RFC 6762](https://www.rfc-editor.org/rfc/rfc6762),
    /// [RFC 8375](https://www.rfc-editor.org/rfc/rfc8375),
    /// [ICANN, .INTERNAL](https://www.icann.org/en/board-activities-and-meetings/materials/approved-resolutions-special-meeting-of-the-icann-board-29-07-2024-en)
    private static let privateDomains = [".internal", ".test", ".local", ".home.arpa"]

    /// A name without a dot, as of Compose services, or a name in a domain that is not public.
    private static func isPrivateName(_ host: String) -> Bool {
        isDomainName(host) && !isInternetProtocolAddress(host)
            && (!host.contains(".") || privateDomains.contains { host.hasSuffix($0) })
    }

    /// An address of a private network; `10.0.2.2` is the machine that runs Android's emulator.
    ///
    /// Source: [RFC 1918](https://www.rfc-editor.org/rfc/rfc1918#section-3),
    /// [RFC 4193](https://www.rfc-editor.org/rfc/rfc4193#section-3.1)
    private static func isPrivateAddress(_ host: String) -> Bool {
        // A regular expression would be compiled at each request, which costs more than all the rest.
        if ["[fc", "[fd"].contains(where: host.hasPrefix) {
            let digits = host.dropFirst(3).dropLast()
            return host.hasSuffix("]") && digits.dropFirst(2).first == ":"
                && digits.allSatisfy { $0.isHexDigit || $0 == ":" }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.count <= 3 ? UInt8($0) : nil }
        guard parts.count == 4, bytes.count == 4 else { return false }
        return switch bytes[0] {
        case 10: true
        case 172: (16...31).contains(bytes[1])
        case 192: bytes[1] == 168
        default: false
        }
    }

    private var url: URLComponents? {
        URLComponents(string: text, encodingInvalidCharacters: false)
    }

    private func hasValidPort(_ url: URLComponents) -> Bool {
        guard let range = url.rangeOfPort else {
            // URLComponents returns no port for a colon without digits, or with too many.
            return url.rangeOfHost.map { !text[$0.upperBound...].hasPrefix(":") } ?? true
        }
        return Int(text[range]).map { (1...65_535).contains($0) } ?? false
    }

    /// Whether browsers read the host as an IP address: the last label decides.
    ///
    /// Source: [URL, "ends in a number"](https://url.spec.whatwg.org/#ends-in-a-number-checker)
    private static func isInternetProtocolAddress(_ host: String) -> Bool {
        if host.contains(":") || host.hasPrefix("[") { return true }
        let host = host.hasSuffix(".") ? host.dropLast() : host[...]
        let last = host.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        return !last.isEmpty && last.allSatisfy { $0.isASCII && $0.isNumber }
            || last.lowercased().hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    /// Labels of letters, digits and hyphens; browsers also accept an underscore.
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
