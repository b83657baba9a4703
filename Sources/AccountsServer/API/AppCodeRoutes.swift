import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// The code that came back to an app, for a session.
struct AppCodeRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [Route(.post, "/api/sessions/code", Self.redemption, redeem)]
    }

    private func redeem(_ request: Request) async throws -> Response {
        let fields = try await server.fields(of: request, Self.redemption)
        let candidate = AppCodeCandidate(
            code: try fields.text("code"),
            verifier: try fields.text("codeVerifier"),
            redirectURI: try fields.text("redirectUri"),
            clientID: ClientID(try fields.text("clientId")),
            client: server.client(of: request)
        )
        let receipt = try await server.signIn(candidate)
        return .json(SessionRoutes.document(receipt), status: .created)
    }
}

extension AppCodeRoutes {
    private static let redemption = Operation(
        id: "redeemAppCode",
        group: .signingIn,
        summary: "Exchange the code with which the browser came back (RFC 8252)",
        fields: [
            .required("code", .text()),
            .required("codeVerifier", .text("RFC 7636; its S256 challenge began the sign-in.")),
            .required("redirectUri", .text("Where the code came back.")),
            .required("clientId", .text()),
        ],
        answer: .created("Signed in.", .named(.signIn)),
        refusals: [.appCodeInvalid, .tooManyAttempts]
    )
}
