import Accounts
import AppleIdentity
import CoreMetrics
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// The routes by which sessions get access tokens, and by which the team's services verify them.
struct AccessTokenRoutes: Sendable {
    private static let cacheControl =
        "public, max-age=\(Int(AccountsConfiguration.tokenKeySetMaximumAge))"

    private static let unavailable = ServerError.accessTokensUnavailable(
        without: TokenAudiences.settingName
    )

    let server: ServerParts

    private var audiences: Set<String> { server.configuration.tokenAudiences.names }

    var routes: [Route] {
        [
            Route(.post, "/api/tokens", as: Self.creation, create),
            Route(.get, WebPath.tokenKeys) { _, _ in
                guard !audiences.isEmpty else { throw Self.unavailable }
                let keys = try await server.accounts.publishedTokenKeys()
                return Self.cached(["keys": .array(keys.map { .object($0) })])
            },
            Route(.get, WebPath.authorizationServer) { _, _ in
                Self.cached(try metadataDocument())
            },
        ]
    }

    private func create(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        guard !audiences.isEmpty else { throw Self.unavailable }
        try server.tokenLimiter.admit(caller.account.id)
        let fields = try await server.fields(of: request, Self.creation)
        let audience = try fields.text("audience")
        guard audiences.contains(audience) else { throw ServerError.audienceUnknown }
        let token = try await server.accounts.makeAccessToken(
            for: caller.session,
            audience: audience
        )
        server.tokens.tokens.increment()
        return .json(
            ["accessToken": .string(token.text), "expiresAt": .time(token.expiresAt)],
            status: .created
        )
    }

    /// The endpoints for grants are missing, because the server offers none.
    private func metadataDocument() throws -> JSONObject {
        let issuer = server.origins.publicURL
        let hasSecrets = !server.configuration.introspectionSecrets.isEmpty
        guard hasSecrets || !audiences.isEmpty else { throw Self.unavailable }
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
        otherRefusals: [
            .notFound: [unavailable.code],
            .unprocessableContent: [ServerError.audienceUnknown.code],
        ]
    )
}
