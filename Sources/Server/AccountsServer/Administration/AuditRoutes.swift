import Accounts
import AppleIdentity
import Foundation
import Hummingbird

/// The routes that list the audit log.
struct AuditRoutes: Sendable {
    let accounts: AccountsService

    func list(_ request: Request) async throws -> Response {
        let parameters = request.uri.queryParameters
        let range = 1...AuditQuery.maximumCount
        guard let count = Int(parameters["limit"] ?? "100"), range.contains(count) else {
            throw ServerError.parameter("limit", "a number from 1 to \(range.upperBound)")
        }
        let account = try Self.identifier("account", parameters["account"])
        let after = try Self.identifier("after", parameters["after"])
        let since = try AdministrationRoutes.time("since", parameters["since"])
        let action = try Self.choice("action", parameters["action"], AuditAction.self)
        let actor = try Self.choice("actor", parameters["actor"], AuditActor.self)
        // Further pages of a list belong to the same command.
        if after == nil {
            try await accounts.recordAdministration(
                .auditRead,
                of: account.map(AccountID.init(rawValue:)),
                by: AdministrationRoutes.administrator(of: request)
            )
        }
        let entries = try await accounts.auditEntries(
            AuditQuery(
                account: account.map(AccountID.init(rawValue:)),
                action: action,
                actor: actor,
                after: after.map(AuditID.init(rawValue:)) ?? since.map(AuditID.beginning(at:)),
                count: count,
                isLatestFirst: parameters["latest"] == "true",
                hidesReads: parameters["reads"] == "false"
            )
        )
        let next = entries.count == count ? entries.last?.id.rawValue : nil
        return .json([
            "entries": .array(entries.map { .object(Self.document($0)) }), "next": .text(next),
        ])
    }

    private static func identifier(_ name: String, _ text: Substring?) throws -> String? {
        guard let text = text?.removingPercentEncoding else { return nil }
        guard text.utf8.count <= ServerLimits.maximumIdentifierByteCount else {
            throw ServerError.parameter(
                name,
                "at most \(ServerLimits.maximumIdentifierByteCount) bytes long"
            )
        }
        return text
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ text: Substring?,
        _ type: Choice.Type
    ) throws -> Choice? {
        guard let text else { return nil }
        guard let choice = Choice(rawValue: String(text)) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServerError.parameter(name, "one of \(names)")
        }
        return choice
    }

    static func document(_ entry: AuditEntry) -> JSONObject {
        [
            "id": .string(entry.id.rawValue), "at": .preciseTime(entry.occurredAt),
            "action": .string(entry.action), "actor": .string(entry.actor),
            "administrator": .text(entry.administrator),
            "account": .text(entry.account?.rawValue), "session": .text(entry.session?.rawValue),
            "address": .text(entry.address), "client": .text(entry.client),
            "detail": .text(entry.detail),
        ]
    }
}

extension JSONValue {
    /// A time in ISO 8601 with milliseconds, which order the entries of one second.
    static func preciseTime(_ date: Date) -> JSONValue {
        .string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}
