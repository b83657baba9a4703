import AppleIdentity
import Foundation

/// The address of a whole server: scheme, host and port, nothing behind them.
struct ServerAddress {
    let scheme: String
    let authority: String

    /// Reads an address; plain `http` to another machine only where that is said to be meant.
    init(
        _ url: URL,
        variable: String,
        allowingPlainHTTP isPlainHTTPAllowed: Bool = false
    ) throws(ConfigurationError) {
        let fix = "write it like https://accounts.example.com"
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased(), !host.isEmpty
        else {
            throw ConfigurationError(variable, "is not an http or https address", fix: fix)
        }
        guard ["", "/"].contains(url.path()), url.query() == nil, url.fragment() == nil,
            url.user() == nil
        else {
            throw ConfigurationError(variable, "has more than scheme, host and port", fix: fix)
        }
        // Browsers keep Secure cookies on loopback names alone when there is no TLS.
        guard scheme == "https" || isPlainHTTPAllowed || LoopbackHost.contains(host)
        else {
            throw ConfigurationError(
                variable,
                "is http, which only loopback names such as localhost may be",
                fix: "use https; a proxy in front of the server may terminate TLS"
            )
        }
        self.scheme = scheme
        let defaultPort = scheme == "https" ? 443 : 80
        let port = url.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
        authority = host + port
    }
}
