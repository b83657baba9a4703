import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// The routes by which sessions get access tokens, and by which the team's services verify them.
struct AccessTokenRoutes: Sendable {
    private static let cacheControl =
        "public, max-age=\(Int(AccountsConfiguration.tokenKeySetMaximumAge))"

    let server: ServerParts

    private var audiences: Set<String> { server.configuration.tokenAudiences.names }

    var routes: [Route] {
        [
            Route(.post, "/api/tokens", Self.creation, create),
            Route(.get, WebPath.tokenKeys, Self.keySet) { _, _ in
                guard !audiences.isEmpty else { throw ServerError.accessTokensUnavailable }
                let keys = try await server.accounts.publishedTokenKeys()
                return Self.cached(["keys": .array(keys.map { .object($0) })])
            },
            Route(.get, WebPath.authorizationServer, Self.metadata) { _, _ in
                Self.cached(try metadataDocument())
            },
        ]
    }

    private func create(_ request: Request) async throws -> Response {
        guard !audiences.isEmpty else { throw ServerError.accessTokensUnavailable }
        let caller = try await server.authenticator.caller(of: request)
        let fields = try await server.fields(of: request, Self.creation)
        let audience = try fields.text("audience")
        guard audiences.contains(audience) else { throw ServerError.audienceUnknown }
        let token = try await server.accounts.makeAccessToken(
            for: caller.session,
            audience: audience
        )
        server.tokens.countToken(for: audience)
        return .json(
            ["accessToken": .string(token.text), "expiresAt": .time(token.expiresAt)],
            status: .created
        )
    }

    /// The endpoints for grants are missing, because the server offers none.
    private func metadataDocument() throws -> JSONObject {
        let issuer = server.origins.publicURL
        let hasSecrets = !server.configuration.introspectionSecrets.isEmpty
        guard hasSecrets || !audiences.isEmpty else { throw ServerError.accessTokensUnavailable }
        var document: JSONObject = [
            "issuer": .string(issuer), "response_types_supported": .array([]),
            "grant_types_supported": .array([]),
        ]
        if !audiences.isEmpty { document["jwks_uri"] = .string(issuer + WebPath.tokenKeys) }
        if hasSecrets {
            document["introspection_endpoint"] = .string(issuer + IntrospectionRoutes.path)
            document["introspection_endpoint_auth_methods_supported"] = ["client_secret_basic"]
        }
        return document
    }

    private static func cached(_ object: JSONObject) -> Response {
        var response = Response.json(object)
        response.headers[.cacheControl] = cacheControl
        return response
    }
}

extension AccessTokenRoutes {
    static let unavailable: [HTTPResponse.Status: [String]] = [
        .notFound: [ServerError.accessTokensUnavailable.code]
    ]

    private static let creation = Operation(
        id: "makeAccessToken",
        group: .tokens,
        summary: "Create an access token for one of the team's services (RFC 9068)",
        access: .session,
        fields: [
            .required(
                "audience",
                .text(
                    "One of SIWA_TOKEN_AUDIENCES.",
                    lengths: 1...TokenAudiences.maximumByteCount
                )
            )
        ],
        answer: .created(
            "The token, valid for five minutes, even if the session ends earlier.",
            .object([.required("accessToken", .text()), .required("expiresAt", .time)])
        ),
        otherRefusals: unavailable.merging([
            .unprocessableContent: [ServerError.audienceUnknown.code]
        ]) { $1 }
    )

    private static let keySet = Operation(
        id: "listTokenKeys",
        group: .tokens,
        summary: "The public keys of access tokens (RFC 7517)",
        answer: .ok(
            "The keys; one that does not sign yet is among them.",
            .object([
                .required(
                    "keys",
                    .list(
                        of: .object(
                            ["kty", "kid", "use", "alg", "crv", "x", "y"].map {
                                .required($0, .text())
                            }
                        )
                    )
                )
            ])
        ),
        refusals: [.storeUnavailable],
        otherRefusals: unavailable
    )

    private static let metadata = Operation(
        id: "getAuthorizationServer",
        group: .tokens,
        summary: "The metadata of the server (RFC 8414)",
        answer: .ok(
            "The metadata. There is no token endpoint, because no grant is offered.",
            .object([
                .required("issuer", .text()), .optional("jwks_uri", .text()),
                .optional("introspection_endpoint", .text()),
                .optional("introspection_endpoint_auth_methods_supported", .list(of: .text())),
                .required("response_types_supported", .list(of: .text())),
                .required("grant_types_supported", .list(of: .text())),
            ])
        ),
        otherRefusals: unavailable
    )
}
