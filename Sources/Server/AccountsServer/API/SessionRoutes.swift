import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// The JSON routes for nonces and the user's sessions.
struct SessionRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.post, "/api/nonces", as: Self.nonce) { _, _ in makeNonce() },
            Route(.get, "/api/sessions", as: Self.listing, list),
            Route(.delete, "/api/sessions", as: Self.endOfOthers, endOthers),
            Route(.delete, "/api/sessions/current", as: Self.signOut, signOut),
            Route(.delete, "/api/sessions/{id}", as: Self.endOfOne) { try await end($0, $1) },
        ]
    }

    static func sessionID(_ context: ServerContext) throws(ServerError) -> SessionID {
        guard
            let text = context.parameters.get("id"),
            text.utf8.count <= ServerLimits.maximumIdentifierByteCount
        else { throw .sessionNotFound }
        return SessionID(text)
    }

    private func makeNonce() -> Response {
        let (nonce, expiresAt) = server.accounts.makeNonce()
        return .json(["nonce": .string(nonce), "expiresAt": .time(expiresAt)], status: .created)
    }

    private func list(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        let sessions = try await server.accounts.sessions(of: caller.session)
        let documents = sessions.map {
            JSONValue.object(Self.document($0, current: caller.session))
        }
        return .json(["sessions": .array(documents)])
    }

    private func end(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        try await server.accounts.endSession(
            try Self.sessionID(context),
            requestedBy: caller.session,
            client: server.client(of: request, context)
        )
        return Response(status: .noContent)
    }

    private func signOut(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        try await server.accounts.signOut(
            caller.session,
            client: server.client(of: request, context)
        )
        return Response(status: .noContent)
    }

    private func endOthers(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        _ = try await server.accounts.endOtherSessions(
            than: caller.session,
            client: server.client(of: request, context)
        )
        return Response(status: .noContent)
    }

    /// The response of a sign-in; only this response contains the token.
    static func document(_ receipt: SignInReceipt) -> JSONObject {
        [
            "token": .string(receipt.token.text),
            "expiresAt": .time(receipt.session.expiresAt),
            "account": .object(AccountRoutes.document(receipt.account)),
        ]
    }

    static func document(_ session: Session, current: Session) -> JSONObject {
        [
            "id": .string(session.id.rawValue),
            "device": .string(session.device),
            "current": .boolean(session.id == current.id),
            "signInMethod": .string(session.signInMethod.rawValue),
            "createdAt": .time(session.createdAt),
            "signedInAt": .time(session.signedInAt),
            "lastUsedAt": .time(session.lastUsedAt),
            "expiresAt": .time(session.expiresAt),
        ]
    }
}

extension SessionRoutes {
    private static let nonce = Operation(
        id: "makeNonce",
        group: .signingIn,
        summary: "Create a nonce for one sign-in with Apple",
        answer: .created(
            "The nonce; send its SHA-256 in hexadecimal in the request to Apple.",
            .object([.required("nonce", .text()), .required("expiresAt", .time)])
        )
    )

    private static let listing = Operation(
        id: "listSessions",
        group: .sessions,
        summary: "The account's sessions",
        access: .session,
        answer: .ok(
            "All active sessions.",
            .object([.required("sessions", .list(of: .named(.session)))])
        )
    )

    private static let endOfOthers = Operation(
        id: "endOtherSessions",
        group: .sessions,
        summary: "End all sessions except this one",
        access: .session,
        answer: .done("Ended.")
    )

    private static let signOut = Operation(
        id: "signOut",
        group: .sessions,
        summary: "End this session",
        access: .session,
        answer: .done("Signed out.")
    )

    private static let endOfOne = Operation(
        id: "endSession",
        group: .sessions,
        summary: "End a session",
        access: .session,
        parameters: [
            .required("id", .text(lengths: 1...ServerLimits.maximumIdentifierByteCount))
        ],
        answer: .done("Ended."),
        refusals: [.sessionNotFound]
    )
}
