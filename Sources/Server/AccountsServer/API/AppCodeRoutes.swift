import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription
import SignInWithApple

/// The route that exchanges an app's code for a session.
struct AppCodeRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [Route(.post, "/api/sessions/code", as: Self.redemption, redeem)]
    }

    private func redeem(_ request: Request, _ context: ServerContext) async throws -> Response {
        let fields = try await server.fields(of: request, Self.redemption)
        let candidate = AppCodeCandidate(
            code: try fields.text("code"),
            verifier: try fields.text("codeVerifier"),
            redirectURI: try fields.text("redirectUri"),
            clientID: ClientID(try fields.text("clientId")),
            client: server.client(of: request, context)
        )
        let receipt = try await server.signIn(candidate)
        return .json(SessionRoutes.document(receipt), status: .created)
    }
}

extension AppCodeRoutes {
    private static let redemption = Operation(
        id: "redeemAppCode",
        group: .signingIn,
        summary: "Exchange the code that the browser returned to the app (RFC 8252)",
        fields: [
            .required("code", .secret("The code that the browser returned.")),
            .required(
                "codeVerifier",
                .text(
                    "The PKCE verifier of the sign-in (RFC 7636).",
                    lengths: CodeVerifier.counts,
                    pattern: CodeVerifier.pattern
                )
            ),
            .required(
                "redirectUri",
                .text(
                    "The redirect URI that received the code.",
                    lengths: 1...AppRedirects.maximumByteCount
                )
            ),
            .required("clientId", .text()),
        ],
        answer: .created("Signed in.", .named(.signIn)),
        refusals: [.appCodeInvalid, .tooManyAttempts]
    )
}
