import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird

/// Nonces, native sign-in, and the sessions of whoever asks.
struct SessionRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.post, "/api/nonces") { _, _ in try await makeNonce() },
            Route(.post, "/api/sessions/apple") { request, _ in try await signIn(request) },
            Route(.get, "/api/sessions") { request, _ in try await list(request) },
            Route(.delete, "/api/sessions") { request, _ in try await endOthers(request) },
            Route(.delete, "/api/sessions/current") { request, _ in try await signOut(request) },
            Route(.delete, "/api/sessions/{id}") { try await end($0, $1) },
        ]
    }

    static func sessionID(_ context: ServerContext) throws(ServerError) -> SessionID {
        guard
            let text = context.parameters.get("id"),
            text.utf8.count <= ServerLimits.maximumIdentifierByteCount
        else { throw .sessionNotFound }
        return SessionID(text)
    }

    /// The members that the body of a sign-in may have.
    private static let signInMembers = ["identityToken", "authorizationCode", "nonce", "fullName"]

    private func makeNonce() async throws -> Response {
        let (nonce, expiresAt) = try await server.accounts.makeNonce()
        return .json(["nonce": .string(nonce), "expiresAt": .time(expiresAt)], status: .created)
    }

    private func signIn(_ request: Request) async throws -> Response {
        let fields = try await request.jsonFields(time: server.time)
        // Apple tells the name once: a misspelt member is refused before anything is spent.
        try fields.refuseOthers(than: Self.signInMembers)
        let name = try fields.optionalFields("fullName").flatMap(PersonName.init(components:))
        let receipt = try await server.accounts.signInNative(
            NativeSignIn(
                identityToken: try fields.text("identityToken"),
                authorizationCode: try fields.optionalText("authorizationCode"),
                nonce: try fields.optionalText("nonce"),
                fullName: name,
                device: DeviceDescription.of(request),
                previousSessionToken: Authenticator.bearerToken(of: request)
            )
        )
        return .json(SessionDocument.of(receipt), status: .created)
    }

    private func list(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        let sessions = try await server.accounts.sessions(of: caller.session)
        let documents = sessions.map {
            JSONValue.object(SessionDocument.of($0, current: caller.session))
        }
        return .json(["sessions": .array(documents)])
    }

    private func end(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        try await server.accounts.endSession(
            try Self.sessionID(context),
            askedBy: caller.session
        )
        return .nothing
    }

    private func signOut(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        try await server.accounts.signOut(caller.session)
        return .nothing
    }

    private func endOthers(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        _ = try await server.accounts.endOtherSessions(than: caller.session)
        return .nothing
    }
}
