import AppleIdentity
import Foundation

/// Finds, before the first person comes, what could never work.
struct MountCheck {
    let apple: AppleSignIn

    func check(_ web: WebFlow?, _ native: NativeEndpoint?) throws(SignInError) {
        guard web != nil || native != nil else {
            throw Self.invalid("neither web nor native is set, so that nobody could sign in")
        }
        guard let native else { return }
        guard !native.clientIDs.isEmpty else { throw Self.invalid("native has no client") }
        for clientID in native.clientIDs {
            if native.requiresCode {
                _ = try apple.clientSecret(for: clientID)
            } else if !apple.configuration.clientIDs.contains(clientID) {
                throw Self.invalid("the client \(clientID.rawValue) is not configured")
            }
        }
    }

    /// The path in browsers that begins the flow, out of the address where it ends.
    func beginPath(_ flow: WebFlow, _ path: String) throws(SignInError) -> String {
        _ = try apple.clientSecret(for: flow.servicesID)
        let ending = "/\(path.trimmingCharacters(in: CharacterSet(charactersIn: "/")))/callback"
        let paths = try flow.origins.map { origin throws(SignInError) in
            try Self.path(of: origin.redirectURI, ending: ending)
        }
        guard let first = paths.first, paths.allSatisfy({ $0 == first }) else {
            throw Self.invalid("the redirect addresses differ in more than scheme, host and port")
        }
        return String(first.dropLast("/callback".count))
    }

    private static func path(of redirectURI: String, ending: String) throws(SignInError) -> String {
        // Without TLS a cookie is safe from others on the way on loopback names alone.
        guard
            let address = URLComponents(string: redirectURI),
            let host = address.host, address.scheme == "https" || LoopbackHost.contains(host),
            address.percentEncodedPath.hasSuffix(ending),
            address.percentEncodedQuery == nil, address.percentEncodedFragment == nil
        else {
            throw invalid(
                "the redirect address \(redirectURI) has to be https, or http on "
                    + "localhost, and to end with \(ending)"
            )
        }
        return address.percentEncodedPath
    }

    private static func invalid(_ hint: String) -> SignInError {
        SignInError(.configurationInvalid, hint: hint)
    }
}
