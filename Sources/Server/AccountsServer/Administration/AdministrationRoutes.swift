import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird

/// The routes for administrators' commands, served by the process that has the database open.
///
/// They allow everything, so they are served only on a socket that its owner alone can open.
package struct AdministrationRoutes: Sendable {
    /// The header field that names the administrator.
    package static let administratorField = "Administrator"

    /// The code of an error that other arguments fix.
    package static let parameterCode = "parameter_invalid"

    private static let maximumNameCharacterCount = 64

    let accounts: AccountsService
    let time: TimeSource

    package func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: AdministrationRefusals(accounts: accounts))
        router.get("users") { request, _ in try await list(request) }
        router.get("users/{id}") { try await show($0, $1) }
        router.delete("users/{id}") { try await delete($0, $1) }
        router.delete("users/{id}/sessions") { try await endSessions($0, $1) }
        router.delete("users/{id}/sessions/{session}") { try await endSession($0, $1) }
        TransferRoutes(accounts: accounts, time: time).add(to: router)
        TokenKeyRoutes(accounts: accounts, time: time).add(to: router)
        router.post("database/backup") { request, _ in
            try await BackupRoute(accounts: accounts, time: time).answer(request)
        }
        router.post("database/reseal") { request, _ in try await reseal(request) }
        let audit = AuditRoutes(accounts: accounts)
        router.get("audit") { request, _ in try await audit.list(request) }
        return router
    }

    private func list(_ request: Request) async throws -> Response {
        let parameters = request.uri.queryParameters
        if parameters["named"] != nil { return try await listNamed(request) }
        let text = try Self.text("search", of: request)
        let range = 1...AccountQuery.maximumCount
        guard let count = Int(parameters["limit"] ?? "50"), range.contains(count) else {
            throw ServerError.parameter(
                "limit",
                "a number from 1 to \(AccountQuery.maximumCount)"
            )
        }
        let since = try Self.time("since", parameters["since"])
        let after = try Self.position(parameters["after"])
        try await accounts.recordAdministration(
            .accountsListed,
            by: Self.administrator(of: request)
        )
        let page = try await accounts.accounts(
            AccountQuery(text: text, count: count, after: after, since: since)
        )
        return .json([
            "users": .array(page.accounts.map { .object(AccountRoutes.document($0)) }),
            "next": .text(page.next?.text),
        ])
    }

    private static func position(_ text: Substring?) throws(ServerError) -> AccountPosition? {
        guard let text else { return nil }
        guard let position = AccountPosition(String(text)) else {
            throw ServerError.parameter("after", "the `next` of an earlier response")
        }
        return position
    }

    private func listNamed(_ request: Request) async throws -> Response {
        let text = try Self.text("named", of: request)
        try await accounts.recordAdministration(
            .accountsListed,
            by: Self.administrator(of: request)
        )
        let found = try await accounts.accounts(named: text)
        return .json([
            "users": .array(found.accounts.map { .object(AccountRoutes.document($0)) }),
            "match": .string(found.match.rawValue),
        ])
    }

    private func show(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let id = AccountID(try Self.identifier("id", context))
        guard let overview = try await accounts.overview(of: id) else {
            throw ServerError.accountNotFound
        }
        try await accounts.recordAdministration(
            .accountViewed,
            of: id,
            by: Self.administrator(of: request)
        )
        var document = AccountRoutes.document(overview.account)
        document["sessions"] = .array(overview.sessions.map { .object(Self.document($0)) })
        return .json(document)
    }

    private func delete(
        _ request: Request,
        _ context: BasicRequestContext
    ) async throws -> Response {
        let deletion = try await accounts.deleteAccount(
            AccountID(try Self.identifier("id", context)),
            by: Self.administrator(of: request)
        )
        guard let deletion else { throw ServerError.accountNotFound }
        return .json([
            "revocations": .integer(deletion.revocationCount),
            "mail": .string(deletion.lastMail.rawValue),
        ])
    }

    private func endSessions(
        _ request: Request,
        _ context: BasicRequestContext
    ) async throws -> Response {
        let id = AccountID(try Self.identifier("id", context))
        guard try await accounts.overview(of: id) != nil else {
            throw ServerError.accountNotFound
        }
        let count = try await accounts.endSessions(of: id, by: Self.administrator(of: request))
        return .json(["ended": .integer(count)])
    }

    private func endSession(
        _ request: Request,
        _ context: BasicRequestContext
    ) async throws -> Response {
        let isEnded = try await accounts.endSession(
            SessionID(try Self.identifier("session", context)),
            of: AccountID(try Self.identifier("id", context)),
            by: Self.administrator(of: request)
        )
        guard isEnded else { throw ServerError.sessionNotFound }
        return .json(["ended": 1])
    }

    private func reseal(_ request: Request) async throws -> Response {
        let fields = try await Self.fields(of: request, ["after"] + SealingOrder.members, time)
        let text = try fields.optionalText("after")
        let position = text.flatMap { ResealingPosition($0) }
        guard (text == nil) == (position == nil) else {
            throw ServerError.parameter("after", "the previous response's next")
        }
        let order = try SealingOrder(fields)
        let lost = position == nil ? try await order.check(accounts) : nil
        let step = try await accounts.reseal(
            after: position,
            abandoning: order.abandonedKeys,
            by: Self.administrator(of: request)
        )
        return .json([
            "key": .string(accounts.sealingKeyID),
            "lostSecrets": lost.map { .integer($0.count) } ?? .null,
            "lostTokens": lost.map { .integer($0.refreshTokenCount) } ?? .null,
            "resealed": .integer(step.resealedCount), "current": .integer(step.currentCount),
            "unopened": .integer(step.unopenedCount), "next": .text(step.next?.description),
        ])
    }

    private static func text(_ name: String, of request: Request) throws -> String {
        let text = request.uri.queryParameters[Substring(name)].map { String($0) } ?? ""
        guard text.count <= AccountQuery.maximumTextCharacterCount else {
            throw ServerError.parameter(
                name,
                "at most \(AccountQuery.maximumTextCharacterCount) characters long"
            )
        }
        return text
    }

    /// Reads a time in ISO 8601, or a day in UTC.
    static func time(_ name: String, _ text: Substring?) throws -> Date? {
        guard let text = text.map({ String($0).removingPercentEncoding ?? String($0) }) else {
            return nil
        }
        let whole = text.utf8.count == 10 ? "\(text)T00:00:00Z" : text
        guard let time = try? Date(whole, strategy: .iso8601) else {
            throw ServerError.parameter(
                name,
                "a time such as 2026-11-23T08:00:00Z, or a day such as 2026-11-23"
            )
        }
        return time
    }

    private static func identifier(
        _ name: String,
        _ context: BasicRequestContext
    ) throws -> String {
        guard let text = context.parameters.get(name)?.removingPercentEncoding,
            text.utf8.count <= ServerLimits.maximumIdentifierByteCount
        else { throw ServerError.accountNotFound }
        return text
    }

    /// Returns the members of a request's body; throws an error for any other member.
    static func fields(
        of request: Request,
        _ names: [String],
        _ time: TimeSource
    ) async throws -> JSONFields {
        let fields = try await request.signInRequest(time)
            .jsonFields(maximumByteCount: ServerLimits.maximumFormByteCount)
        try fields.refuseOthers(than: names)
        return fields
    }

    /// Returns the administrator's name for the log, unverified because only the owner can connect.
    static func administrator(of request: Request) -> String {
        let name = HTTPField.Name(administratorField).flatMap { request.headers[$0] } ?? ""
        return DisplayText.cleaned(String(name.prefix(maximumNameCharacterCount))) ?? "unknown"
    }

    private static func document(_ session: Session) -> JSONObject {
        [
            "id": .string(session.id.rawValue), "device": .string(session.device),
            "signInMethod": .string(session.signInMethod.rawValue),
            "createdAt": .time(session.createdAt), "signedInAt": .time(session.signedInAt),
            "lastUsedAt": .time(session.lastUsedAt), "expiresAt": .time(session.expiresAt),
        ]
    }
}
