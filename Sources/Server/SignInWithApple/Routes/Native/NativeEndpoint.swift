import AppleIdentity
import Foundation
import HTTPTypes

/// The settings of the route for sign-ins from apps, and from pages that received Apple's token themselves.
public struct NativeEndpoint: Sendable {
    /// The bundle identifiers of the apps; nil for ``AppleSignIn/Configuration/appIDs``.
    public var appIDs: Set<ClientID>?
    /// The Services IDs whose tokens are accepted too, as Apple's popup and apps on Android get them.
    ///
    /// A stolen token is easier to inject into a page than into an app. Such a token therefore needs one of ``nonces``,
    /// and its code the `redirectUri` of the authorization request, at one of ``redirectOrigins``.
    public var servicesIDs: Set<ClientID> = []
    /// The origins at which a `redirectUri` may be, as browsers write them: `https://shop.example.com`.
    ///
    /// Required with ``servicesIDs``.
    public var redirectOrigins: Set<String> = []
    /// Whether `onSignIn` accepts each nonce once, in place of ``nonces``.
    package var isNonceCheckedLater = false
    /// Whether an app must send the authorization code.
    ///
    /// Apple accepts a code once. Without a code, your server must accept each nonce or
    /// ``VerifiedSignIn/identityToken`` once.
    ///
    /// With a code or one of ``nonces``, one case remains: the client of a failed sign-in can repeat its request for ten
    /// minutes, even after a repetition succeeded, and `onSignIn` is called each time. If only one session may be opened,
    /// store the token's hash in the transaction that opens it, and reject a token whose hash is stored.
    public var requiresCode: Bool
    /// The nonces for the apps; nil if each app creates its own.
    ///
    /// A nonce that the app created does not protect a stolen token, because the thief can send it
    /// too. A nonce that your server created and accepts once does.
    public var nonces: NativeNonces?
    /// Encrypts what a client keeps of a failed sign-in; nil for ``WebFlow/sealer``.
    ///
    /// Without both, the key is derived from the team's key, and cookies last ten minutes.
    public var sealer: TokenSealer?
    /// The path of the route; nil for `native` below the path of the other routes.
    public var path: String?
    /// The method of the route, such as `PUT` for a route that links an Apple Account to an account.
    public var method: HTTPRequest.Method = .post

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - appIDs: the bundle identifiers of the apps; nil for the configured ones.
    ///   - requiresCode: whether an app must send the authorization code.
    ///   - nonces: the nonces for the apps; nil if each app creates its own.
    ///   - path: the path of the route; nil for `native` below the path of the other routes.
    public init(
        appIDs: Set<ClientID>? = nil,
        requiresCode: Bool = true,
        nonces: NativeNonces? = nil,
        path: String? = nil
    ) {
        self.appIDs = appIDs
        self.requiresCode = requiresCode
        self.nonces = nonces
        self.path = path
    }
}

extension NativeEndpoint {
    /// The endpoint with the apps of a configuration, unless it names its own.
    func of(_ configuration: AppleSignIn.Configuration) -> NativeEndpoint {
        var endpoint = self
        endpoint.appIDs = appIDs ?? Set(configuration.appIDs)
        return endpoint
    }

    /// The clients of an endpoint whose apps are known.
    var clientIDs: Set<ClientID> { (appIDs ?? []).union(servicesIDs) }
}
