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

    /// Describes a service.
    ///
    /// - Parameters:
    ///   - url: where this server finds it.
    ///   - browserURL: where browsers find it; the same address when left out.
    ///   - issuer: the issuer that its tokens name.
    public init(
        url: URL,
        browserURL: URL? = nil,
        issuer: String = AppleService.appleIssuer
    ) {
        self.url = url
        self.browserURL = browserURL ?? url
        self.issuer = issuer
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
