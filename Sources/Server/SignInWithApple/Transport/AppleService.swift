import AppleIdentity
import Foundation

/// The URLs and the issuer of Apple's service, or of an emulator.
///
/// The URLs and the issuer are separate settings: nothing that is served at a URL, such as a
/// discovery document, changes the accepted issuer.
public struct AppleService: Hashable, Sendable {
    /// The base URL for requests of this server.
    public var url: URL
    /// The base URL for browsers.
    public var browserURL: URL
    /// The issuer that tokens must have, compared exactly.
    public var issuer: String
    /// Whether it is an emulator, for which plain `http` is permitted on other machines too.
    public let isEmulator: Bool

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - url: the base URL for this server: `https`, or `http` on a loopback host. Requests to
    ///     another one throw `configuration_invalid`.
    ///   - browserURL: the base URL for browsers; by default `url`.
    ///   - issuer: the issuer of its tokens.
    public init(url: URL, browserURL: URL? = nil, issuer: String = AppleService.appleIssuer) {
        self.init(url: url, browserURL: browserURL, issuer: issuer, isEmulator: false)
    }

    private init(url: URL, browserURL: URL?, issuer: String, isEmulator: Bool) {
        self.url = url
        self.browserURL = browserURL ?? url
        self.issuer = issuer
        self.isEmulator = isEmulator
    }

    /// Creates the service of an emulator, for which plain `http` is permitted on any machine, such
    /// as a container.
    ///
    /// Never use it in production: an attacker on the network reads client secrets and codes, and can
    /// replace Apple's keys.
    ///
    /// - Parameters:
    ///   - url: the base URL for this server, such as `http://apple:8081`.
    ///   - browserURL: the base URL for browsers; by default `url`.
    ///   - issuer: the issuer of its tokens.
    /// - Returns: the service; every check is the same as for Apple's.
    public static func emulator(
        url: URL,
        browserURL: URL? = nil,
        issuer: String = AppleService.appleIssuer
    ) -> AppleService {
        AppleService(url: url, browserURL: browserURL, issuer: issuer, isEmulator: true)
    }

    /// The reason why no request may be sent to this URL; nil if it is valid.
    package var addressMistake: String? {
        guard let scheme = url.scheme?.lowercased(), ["https", "http"].contains(scheme),
            let host = url.host(percentEncoded: true), !host.isEmpty
        else { return "Apple's URL must be absolute and use http or https" }
        guard scheme == "https" || isEmulator || LoopbackHost.contains(host) else {
            return "Apple's URL uses plain http to another machine; use https, "
                + "or declare the service as an emulator"
        }
        return nil
    }

    /// The issuer of Apple's own tokens.
    ///
    /// Source: [Identity token](https://developer.apple.com/documentation/signinwithapplejs/authorizationi/id_token)
    public static let appleIssuer = "https://appleid.apple.com"

    /// Apple's service in production.
    public static let apple = AppleService(url: appleURL, issuer: appleIssuer)

    private static let appleURL: URL = {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "appleid.apple.com"
        return components.url ?? URL(filePath: "/")
    }()
}
