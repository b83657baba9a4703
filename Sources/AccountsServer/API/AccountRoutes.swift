import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird

/// The account of whoever asks, for programs.
struct AccountRoutes: Sendable {
    private static let path: String = "/api/account"

    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, Self.path) { request, _ in try await show(request) },
            Route(.patch, Self.path) { request, _ in try await change(request) },
            Route(.delete, Self.path) { request, _ in try await delete(request) },
        ]
    }

    private func show(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        return .json(AccountDocument.of(caller.account))
    }

    private func change(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        let fields = try await request.jsonFields(time: server.time)
        try fields.refuseOthers(than: ["name"])
        guard fields.object["name"] != nil else { throw ServerError.missingField("name") }
        let account = try await server.accounts.rename(
            to: try fields.optionalText("name"),
            askedBy: caller.session
        )
        return .json(AccountDocument.of(account))
    }

    private func delete(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.caller(of: request)
        try await server.accounts.deleteAccount(caller.session)
        return .nothing
    }
}
