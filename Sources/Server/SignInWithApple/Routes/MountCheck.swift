import AppleIdentity
import Foundation

/// Finds settings that cannot work, when the routes are added.
struct MountCheck {
    let apple: AppleSignIn

    func check(_ web: WebFlow?, _ native: NativeEndpoint?) throws(SignInError) {
        guard web != nil || native != nil else {
            throw Self.invalid("neither web nor native is set; pass at least one of them")
        }
        guard let native else { return }
        guard !native.clientIDs.isEmpty else {
            throw Self.invalid("native has no client IDs")
        }
        let servicesIDs = native.servicesIDs.union(apple.configuration.servicesIDs)
        guard (native.appIDs ?? []).isDisjoint(with: servicesIDs) else {
            throw Self.invalid("an ID is listed both as bundle identifier and as Services ID")
        }
        guard
            native.servicesIDs.isEmpty || native.nonces != nil || native.isNonceCheckedLater
        else { throw Self.invalid("native accepts Services IDs, so it needs nonces") }
        if !native.servicesIDs.isEmpty { try Self.check(redirectOrigins: native.redirectOrigins) }
        for clientID in native.clientIDs {
            if native.requiresCode {
                _ = try apple.clientSecret(for: clientID)
            } else if !apple.configuration.clientIDs.contains(clientID) {
                throw Self.invalid(
                    "native's client \(clientID.rawValue) is not one of the configured client IDs"
                )
            }
        }
    }

    /// Compares each origin with that of a redirect URI there, as a request is checked.
    private static func check(redirectOrigins origins: Set<String>) throws(SignInError) {
        guard !origins.isEmpty else {
            throw invalid("native accepts Services IDs, so it needs redirectOrigins")
        }
        for origin in origins.sorted() where (try? SentRedirectURI(origin))?.origin != origin {
            throw invalid(
                "redirectOrigins has \(Excerpt.quoting(origin)); write an origin like "
                    + "https://shop.example.com: https, lowercase, no path, no final slash, no :443"
            )
        }
    }

    /// The path in browsers that begins the flow, derived from the redirect URI.
    func beginPath(_ flow: WebFlow, _ path: String) throws(SignInError) -> String {
        _ = try apple.clientSecret(for: try servicesID(of: flow))
        let ending = "/\(path.trimmingCharacters(in: CharacterSet(charactersIn: "/")))/callback"
        let paths = try flow.origins.map { origin throws(SignInError) in
            try Self.path(of: origin.redirectURI, ending: ending)
        }
        guard let first = paths.first, paths.allSatisfy({ $0 == first }) else {
            throw Self.invalid("the redirect URIs must differ only in scheme, host and port")
        }
        return String(first.dropLast("/callback".count))
    }

    /// The Services ID of a flow: its own, or the first of the configuration.
    func servicesID(of flow: WebFlow) throws(SignInError) -> ClientID {
        guard let servicesID = flow.servicesID ?? apple.configuration.servicesIDs.first else {
            throw Self.invalid("web has no Services ID, and the configuration lists none")
        }
        guard apple.configuration.servicesIDs.contains(servicesID) else {
            throw Self.invalid("web's \(servicesID.rawValue) is not one of the servicesIDs")
        }
        return servicesID
    }

    /// The sealer of a flow: its own, or one that is derived from the team's key.
    func sealer(of flow: WebFlow) throws(SignInError) -> TokenSealer {
        guard let sealer = flow.sealer ?? apple.configuration.key?.sealer else {
            throw Self.invalid("web exchanges codes, and no key is configured")
        }
        return sealer
    }

    private static func path(of redirectURI: String, ending: String) throws(SignInError) -> String {
        // Without TLS a cookie can be read on the network, except on loopback names.
        guard
            let address = URLComponents(string: redirectURI),
            let host = address.host, address.scheme == "https" || LoopbackHost.contains(host),
            address.percentEncodedPath.hasSuffix(ending),
            address.percentEncodedQuery == nil, address.percentEncodedFragment == nil
        else {
            throw invalid(
                "the redirect URI \(redirectURI) must use https, or http on localhost, "
                    + "and must end with \(ending)"
            )
        }
        return address.percentEncodedPath
    }

    private static func invalid(_ hint: String) -> SignInError {
        SignInError(.configurationInvalid, hint: hint)
    }
}
