import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithAppleHummingbird

/// The account of whoever asks, for programs.
struct AccountRoutes: Sendable {
    private static let path: String = "/api/account"

    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, Self.path) { request, _ in try await show(request) },
            Route(.patch, Self.path) { request, _ in try await change(request) },
            Route(.delete, Self.path) { request, _ in try await delete(request) },
            Route(.delete, "\(Self.path)/apple") { request, _ in try await unlink(request) },
            Route(.get, "\(Self.path)/apple/credential-state") { request, _ in
                try await credentialState(request)
            },
            Route(.get, "\(Self.path)/export") { request, _ in try await export(request) },
        ]
    }

    private func show(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        return .json(server.documents.document(of: caller.account))
    }

    private func change(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        let fields = try await request.jsonFields(
            maximumByteCount: ServerLimits.maximumJsonByteCount,
            time: server.time
        )
        try fields.refuseOthers(than: ["name"])
        guard fields.object["name"] != nil else { throw RefusedSignIn.missingField("name") }
        let account = try await server.accounts.rename(
            to: try fields.optionalText("name"),
            askedBy: caller.session
        )
        return .json(Self.document(account))
    }

    private func delete(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        try await server.accounts.deleteAccount(
            caller.session,
            of: caller.account,
            client: ClientDescription(request)
        )
        return Response(status: .noContent)
    }

    private func unlink(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        let account = try await server.accounts.unlinkApple(
            askedBy: caller.session,
            client: ClientDescription(request)
        )
        return .json(Self.document(account))
    }

    private func credentialState(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        let state = server.accounts.credentialState(of: caller.account)
        return .json(["state": .string(state.rawValue)])
    }

    private func export(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        let export = try await server.accounts.export(of: caller.session)
        return .json(ExportDocument(export, askedBy: caller.session).object)
    }

    /// An account as programs read it; what is not known is null, never left out.
    static func document(_ account: Account) -> JSONObject {
        [
            "id": .string(account.id.rawValue),
            "name": .text(account.name),
            "email": .text(account.email?.text),
            "emailIsVerified": .boolean(account.email?.isVerified ?? false),
            "emailIsPrivateRelay": .boolean(account.email?.isPrivateRelay ?? false),
            "emailDeliverable": .boolean(account.emailDeliverable),
            "username": .text(account.username),
            "apple": account.apple.map { .object(document($0)) } ?? .null,
            "createdAt": .time(account.createdAt),
        ]
    }

    private static func document(_ link: AppleLink) -> JSONObject {
        [
            "user": .string(link.person.user.rawValue),
            "clientId": .string(link.clientID.rawValue),
            "linkedAt": .time(link.linkedAt),
            "revokedAt": link.revokedAt.map { .time($0) } ?? .null,
        ]
    }
}

extension JSONValue {
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// A time in ISO 8601, in UTC.
    static func time(_ date: Date) -> JSONValue { .string(date.formatted(.iso8601)) }
}
