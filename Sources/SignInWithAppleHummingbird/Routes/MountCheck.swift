import AppleIdentity
import Foundation
import SignInWithApple

/// Finds, before the first person comes, what could never work.
struct MountCheck {
    let apple: AppleSignIn

    /// The path in browsers that begins the flow, out of the address where it ends.
    func beginPath(_ flow: WebFlow, _ path: String) throws(SignInError) -> String {
        _ = try apple.clientSecret(for: flow.servicesID)
        let ending = "/\(path.trimmingCharacters(in: CharacterSet(charactersIn: "/")))/callback"
        // Browsers keep Secure cookies on loopback names alone when there is no TLS.
        guard
            let address = URLComponents(string: flow.redirectURI),
            let host = address.host, address.scheme == "https" || LoopbackHost.contains(host),
            address.percentEncodedPath.hasSuffix(ending),
            address.percentEncodedQuery == nil, address.percentEncodedFragment == nil
        else {
            throw SignInError(
                .configurationInvalid,
                hint: "the redirect address \(flow.redirectURI) has to be https, or http on "
                    + "localhost, and to end with \(ending)"
            )
        }
        return String(address.percentEncodedPath.dropLast("/callback".count))
    }

    func check(_ native: NativeEndpoint) throws(SignInError) {
        for clientID in native.clientIDs where native.requiresCode {
            _ = try apple.clientSecret(for: clientID)
        }
    }
}
