import AppleIdentity
import Foundation
import SignInWithApple

/// Checks a redirect URI against Apple's rules.
///
/// Apple's portal calls it Return URL.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
struct RedirectCheck {
    let text: String
    /// Whether the service is Apple's, which allows no loopback URI.
    let isApple: Bool

    var finding: DiagnosticFinding {
        if let mistake {
            return Check("redirect address").failure("\(Excerpt.quoting(text)) \(mistake)")
        }
        return Check("redirect address").ok(
            "\(text); register exactly this URL with Apple for the Services ID"
        )
    }

    private var mistake: String? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            let host = url.host()?.lowercased(), !host.isEmpty
        else { return "is not an absolute URL; write it like https://example.com/callback" }
        if text.contains("*") { return "has a wildcard, which Apple does not support" }
        if text.contains("#") { return "has a fragment (#…); remove it" }
        if url.user() != nil { return "has a user name; remove it" }
        let isLocal = LoopbackHost.contains(host)
        if isLocal, !isApple { return nil }
        if scheme != "https" { return "is not https, which Apple requires" }
        if isLocal || Self.isAddress(host) || !host.contains(".") {
            return "has no registered domain name; Apple refuses localhost and IP addresses, so "
                + "use a registered name, a tunnel, or the emulator"
        }
        return nil
    }

    private static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.wholeMatch(of: /[0-9.]+/) != nil
    }
}
