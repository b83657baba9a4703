import Foundation

/// The URL of the redirect from the server's page.
///
/// Source: [RFC 6749, section 4.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2)
struct AuthorizationAnswer {
    /// The errors of [RFC 6749, section 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1), and
    /// [OpenID Connect Core, section 3.1.2.6](https://openid.net/specs/openid-connect-core-1_0.html#AuthError).
    private static let errors: Set<String> = [
        "access_denied", "server_error", "temporarily_unavailable", "invalid_request",
        "unauthorized_client", "unsupported_response_type", "invalid_scope",
        "interaction_required", "login_required",
    ]

    private let items: [URLQueryItem]

    init(_ url: URL) {
        items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    }

    /// The code.
    ///
    /// - Parameters:
    ///   - state: the request's state; another one belongs to another sign-in.
    ///   - server: the requested server; a response of another one is a mix-up attack.
    /// - Returns: the code, which is not empty.
    /// - Throws: ``SignInKitError``: the server's error, or `invalidResponse` if the response does not match the
    ///   request.
    func code(state: String, from server: URL) throws(SignInKitError) -> String {
        guard try value("state") == state else { throw Self.invalid("the state does not match") }
        // RFC 9207, section 2.4: https://www.rfc-editor.org/rfc/rfc9207#section-2.4
        if let issuer = try value("iss") {
            let origin = URL(string: issuer).flatMap(Self.origin)
            guard let origin, origin == Self.origin(server) else {
                throw Self.invalid("the response came from another server")
            }
        }
        if let error = try value("error") {
            guard Self.errors.contains(error) else {
                throw Self.invalid("the error code is not defined in RFC 6749")
            }
            let kind: SignInKitError.Kind =
                switch error {
                case "access_denied": .canceled
                case "server_error", "temporarily_unavailable": .serverUnavailable(retryAfter: nil)
                default: .refused(code: error)
                }
            throw SignInKitError(kind, hint: "the page answered \(error)")
        }
        guard let code = try value("code"), !code.isEmpty else {
            throw Self.invalid("the code is missing")
        }
        return code
    }

    /// A parameter, which must not be there twice; nil when it is not there.
    private func value(_ name: String) throws(SignInKitError) -> String? {
        let values = items.filter { $0.name == name }
        guard values.count < 2 else { throw Self.invalid("\(name) appears twice") }
        return values.first.map { $0.value ?? "" }
    }

    /// Scheme, host and port, which make up an origin.
    private static func origin(_ url: URL) -> [String]? {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased() else {
            return nil
        }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return [scheme, host, "\(port)"]
    }

    private static func invalid(_ hint: String) -> SignInKitError {
        SignInKitError(.invalidResponse, hint: "the redirect: \(hint)")
    }
}
