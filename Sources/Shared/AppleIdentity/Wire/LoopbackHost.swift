/// The names of this machine, to which plain `http` is as safe as `https` to others.
///
/// Source: [RFC 6761, section 6.3](https://www.rfc-editor.org/rfc/rfc6761#section-6.3)
package enum LoopbackHost {
    /// Whether a URL's host is this machine.
    package static func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host == "127.0.0.1"
            || host == "::1" || host == "[::1]"
    }
}
