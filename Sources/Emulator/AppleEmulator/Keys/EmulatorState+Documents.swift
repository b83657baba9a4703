import AppleIdentity
import HTTPTypes

extension EmulatorState {
    func keys(_ request: HTTPRequest) -> Outcome {
        guard !switches.isKeySetEmpty else { return document(["keys": []], for: request) }
        let keys = signingKeys.document(
            foreign: switches.hasForeignKey,
            order: switches.keyOrder
        )
        return document(keys, for: request)
    }

    /// Handles `/.well-known/openid-configuration`: Apple's members in Apple's order.
    ///
    /// The endpoints are at the host of the request; the issuer is the configured one.
    func discovery(_ request: HTTPRequest) -> Outcome {
        let world = configuration.world?.path ?? ""
        if let address = Self.movedAddress(of: request, switches.discovery) {
            return .redirect(to: address + world + ApplePath.discovery, status: .movedPermanently)
        }
        let base = Self.address(of: request) + world
        return document(
            [
                "issuer": .string(
                    switches.discovery == .moved ? Self.movedIssuer : switches.issuer
                ),
                "authorization_endpoint": .string(base + ApplePath.authorize),
                "token_endpoint": .string(base + ApplePath.token),
                "revocation_endpoint": .string(base + ApplePath.revoke),
                "jwks_uri": .string(base + ApplePath.keys), "response_types_supported": ["code"],
                "response_modes_supported": ["query", "fragment", "form_post"],
                "subject_types_supported": ["pairwise"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "scopes_supported": ["openid", "email", "name"],
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
                "claims_supported": [
                    "aud", "email", "email_verified", "exp", "iat", "is_private_email", "iss",
                    "nonce", "nonce_supported", "real_user_status", "sub", "transfer_sub",
                ],
            ],
            for: request
        )
    }

    private func document(_ object: JSONObject, for request: HTTPRequest) -> Outcome {
        guard request.method == .get || request.method == .head else {
            return .methodNotAllowed(request, allowed: "GET")
        }
        var outcome = Outcome.json(object)
        outcome.answer.response.headerFields[.cacheControl] =
            "public, max-age=\(switches.documentCacheSeconds)"
        outcome.answer.response.headerFields[.pragma] = nil
        return outcome
    }

    /// The issuer in Apple's discovery document of June 2025; the tokens kept theirs.
    private static let movedIssuer = "https://account.apple.com"

    /// The URL to which discovery redirected in June 2025: from `appleid.…` to `account.…`.
    private static func movedAddress(
        of request: HTTPRequest,
        _ discovery: EmulatorSwitches.Discovery
    ) -> String? {
        let address = address(of: request)
        guard discovery == .moved, address.contains("://appleid.") else { return nil }
        return address.replacing("://appleid.", with: "://account.", maxReplacements: 1)
    }

    /// The maximum size of a host with port in a response, in bytes.
    private static let maximumAuthorityByteCount = 255

    private static func address(of request: HTTPRequest) -> String {
        let authority = request.authority ?? ""
        guard authority.utf8.count <= maximumAuthorityByteCount,
            authority.wholeMatch(of: /[A-Za-z0-9.\-:\[\]]+/) != nil
        else {
            return "https://appleid.apple.com"
        }
        return (request.scheme == "http" ? "http" : "https") + "://" + authority
    }
}
