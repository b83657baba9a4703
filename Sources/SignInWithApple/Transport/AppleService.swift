import AppleIdentity
import Foundation

/// Where Apple is, and by which name it signs.
///
/// The address and the issuer are two settings: what is served at an address, a discovery
/// document for example, never changes which issuer is accepted.
public struct AppleService: Hashable, Sendable {
    /// Where this server finds Apple.
    public var url: URL
    /// Where browsers find Apple.
    public var browserURL: URL
    /// The issuer that tokens must name, compared exactly.
    public var issuer: String
    /// Whether it is an emulator, which may be reached by plain `http` on other machines too.
    public let isEmulator: Bool

    /// Describes a service.
    ///
    /// - Parameters:
    ///   - url: where this server finds it: `https`, or `http` on this machine.
    ///   - browserURL: where browsers find it; the same address when left out.
    ///   - issuer: the issuer that its tokens name.
    public init(url: URL, browserURL: URL? = nil, issuer: String = AppleService.appleIssuer) {
        self.init(url: url, browserURL: browserURL, issuer: issuer, isEmulator: false)
    }

    private init(url: URL, browserURL: URL?, issuer: String, isEmulator: Bool) {
        self.url = url
        self.browserURL = browserURL ?? url
        self.issuer = issuer
        self.isEmulator = isEmulator
    }

    /// Describes an emulator, which plain `http` may lead to on any machine, a container for example.
    ///
    /// Never in production: whoever is on the way there reads client secrets and codes, and can put
    /// keys of their own in the place of Apple's.
    ///
    /// - Parameters:
    ///   - url: where this server finds it, such as `http://apple:8081`.
    ///   - browserURL: where browsers find it; the same address when left out.
    ///   - issuer: the issuer that its tokens name.
    /// - Returns: the service; every check is made as with Apple.
    public static func emulator(
        url: URL,
        browserURL: URL? = nil,
        issuer: String = AppleService.appleIssuer
    ) -> AppleService {
        AppleService(url: url, browserURL: browserURL, issuer: issuer, isEmulator: true)
    }

    /// Why nothing may be sent to this address; nil when it is a good one.
    package var addressMistake: String? {
        guard let scheme = url.scheme?.lowercased(), ["https", "http"].contains(scheme),
            let host = url.host(percentEncoded: true), !host.isEmpty
        else { return "Apple's address is not an absolute URL with http or https" }
        guard scheme == "https" || isEmulator || LoopbackHost.contains(host) else {
            return "Apple's address is plain http to another machine; "
                + "use https, or say that an emulator is meant"
        }
        return nil
    }

    /// The issuer of Apple's own tokens.
    ///
    /// Source: [Identity token](https://developer.apple.com/documentation/signinwithapplejs/authorizationi/id_token)
    public static let appleIssuer = "https://appleid.apple.com"

    /// Apple itself.
    public static let apple = AppleService(url: appleURL, issuer: appleIssuer)

    private static let appleURL: URL = {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "appleid.apple.com"
        return components.url ?? URL(filePath: "/")
    }()
}
