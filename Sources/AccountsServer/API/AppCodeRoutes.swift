import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import SignInWithAppleHummingbird

/// The code that came back to an app, for a session.
struct AppCodeRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [Route(.post, "/api/sessions/code") { request, _ in try await redeem(request) }]
    }

    private func redeem(_ request: Request) async throws -> Response {
        let fields = try await request.jsonFields(
            maximumByteCount: ServerLimits.maximumJsonByteCount,
            time: server.time
        )
        try fields.refuseOthers(than: ["code", "codeVerifier", "redirectUri", "clientId"])
        let receipt = try await server.accounts.signIn(
            AppCodeCandidate(
                code: try fields.text("code"),
                verifier: try fields.text("codeVerifier"),
                redirectURI: try fields.text("redirectUri"),
                clientID: ClientID(try fields.text("clientId")),
                client: ClientDescription(request)
            )
        )
        return .json(SessionRoutes.document(receipt), status: .created)
    }
}
