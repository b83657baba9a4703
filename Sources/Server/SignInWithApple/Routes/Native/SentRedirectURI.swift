import AppleIdentity

/// The redirect URI that a client sent with a code: absolute, with https, and without a fragment.
///
/// It may use http on a loopback host, which the emulator permits.
/// Source: [RFC 6749, section 3.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2)
struct SentRedirectURI {
    /// The text, which Apple compares.
    let text: String
    /// The scheme, host and port, as browsers write them into the `Origin` field.
    var origin: String { SiteOrigin(text).serialized }

    init(_ text: String) throws(RefusedSignIn) {
        let pattern =
            #/(https?)://([A-Za-z0-9.\-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?([/?][!"$-\[\]-~]*)?/#
        guard text.utf8.count <= RouteLimits.maximumRedirectURIByteCount,
            let match = text.wholeMatch(of: pattern),
            match.1 == "https" || LoopbackHost.contains(String(match.2))
        else { throw .redirectURIInvalid }
        self.text = text
    }
}
