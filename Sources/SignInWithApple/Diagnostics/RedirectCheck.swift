import AppleIdentity
import Foundation

/// Holds a redirect address against Apple's rules for registering one.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
struct RedirectCheck {
    let text: String
    /// Apple itself allows no address of this machine.
    let isApple: Bool

    var finding: DiagnosticFinding {
        if let mistake {
            return DiagnosticFinding(
                "redirect address",
                .failure,
                "\(Excerpt.quoting(text)) \(mistake)"
            )
        }
        return DiagnosticFinding(
            "redirect address",
            .ok,
            "\(text); Apple must have exactly this registered for the Services ID"
        )
    }

    private var mistake: String? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            let host = url.host()?.lowercased(), !host.isEmpty
        else { return "is not a whole address; write it like https://example.com/callback" }
        if text.contains("*") { return "has a wildcard, which Apple does not know" }
        if text.contains("#") { return "has a fragment (#…); leave it away" }
        if url.user() != nil { return "carries a user name; leave it away" }
        let isLocal = LoopbackHost.contains(host)
        if isLocal, !isApple { return nil }
        if scheme != "https" { return "is not https, which Apple insists on" }
        if isLocal || Self.isAddress(host) || !host.contains(".") {
            return "has no public domain name; Apple refuses localhost and IP addresses, so "
                + "use a registered name, a tunnel, or the emulator"
        }
        return nil
    }

    private static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.wholeMatch(of: /[0-9.]+/) != nil
    }
}
