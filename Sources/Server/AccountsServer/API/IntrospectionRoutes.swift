import Accounts
import AppleIdentity
import CoreMetrics
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// The route at which the team's services ask whether a token is active.
///
/// Source: [RFC 7662](https://www.rfc-editor.org/rfc/rfc7662)
struct IntrospectionRoutes: Sendable {
    static let path = "/api/introspect"

    private static let unavailable = ServerError.accessTokensUnavailable(
        without: IntrospectionSecrets.settingName
    )

    let server: ServerParts

    var routes: [Route] { [Route(.post, Self.path, as: Self.introspection, introspect)] }

    private func introspect(_ request: Request, _ context: ServerContext) async throws -> Response {
        let secrets = server.configuration.introspectionSecrets
        guard !secrets.isEmpty else {
            let isStranger = request.headers[.authorization] == nil
            throw isStranger ? ServerError.invalidClient : Self.unavailable
        }
        let (service, isAdmitted) = secrets.check(request.headers[.authorization])
        guard isAdmitted else {
            server.tokens.refused.increment()
            let client = server.client(of: request, context)
            await server.accounts.recordRefusal(.introspectionRefused, detail: service, client)
            throw ServerError.invalidClient
        }
        try server.introspectionLimiter.admit(service)
        let form = try await PostedForm(request, time: server.time)
        guard let token = form["token"] else { throw ServerError.invalidRequest }
        guard var claims = try await server.accounts.introspect(token) else {
            server.tokens.inactive.increment()
            // RFC 7662, section 2.2: nothing says why.
            return .json(["active": false])
        }
        server.tokens.active.increment()
        claims["active"] = true
        claims["token_type"] = "Bearer"
        return .json(claims)
    }

    private static let introspection = Operation(
        id: "introspectToken",
        group: .tokens,
        summary: "Whether a session token or access token is active (RFC 7662)",
        access: .service,
        form: [
            .required("token", .text("A session token or an access token.")),
            .optional("token_type_hint", .text("Ignored.")),
        ],
        answer: .ok(
            "The token's claims, or only `active` with the value false.",
            .object(
                [
                    .required("active", .flag()),
                    .optional("aud", .text("Only of an access token: compare it with your own.")),
                    .optional("iat", .integer), .optional("exp", .integer),
                    .optional("auth_time", .integer), .optional("amr", .list(of: .text())),
                ]
                    + ["iss", "sub", "sid", "client_id", "jti", "token_type"]
                    .map { .optional($0, .text()) }
            )
        ),
        refusals: [.storeUnavailable],
        otherRefusals: [
            .notFound: [unavailable.code],
            .badRequest: [ServerError.invalidRequest.code],
            .unauthorized: [ServerError.invalidClient.code],
        ]
    )
}
