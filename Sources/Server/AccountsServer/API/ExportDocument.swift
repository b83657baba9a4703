import Accounts
import AppleIdentity
import Foundation

/// All data stored about a user, as JSON.
struct ExportDocument: Sendable {
    let object: JSONObject

    init(_ export: AccountExport, requestedBy session: Session) {
        let account = export.account
        object = [
            "account": .object(AccountRoutes.document(account)),
            "mailForwardingChangedAt": .optionalTime(account.mailForwardingChangedAt),
            "emailSince": .optionalTime(account.emailSince),
            "passwordSetAt": .optionalTime(account.passwordSetAt),
            "passwordChangedAt": .optionalTime(export.passwordChangedAt),
            "sessions": .array(
                export.sessions.map { .object(SessionRoutes.document($0, current: session)) }
            ),
            "appleRefreshTokens": .array(
                export.refreshTokens.map { token in
                    .object([
                        "clientId": .string(token.clientID.rawValue),
                        "receivedAt": .time(token.receivedAt),
                    ])
                }
            ),
            "mailLinks": .array(
                export.mailTokens.map { token in
                    .object([
                        "purpose": .string(token.purpose.rawValue),
                        "address": .string(token.address),
                        "expiresAt": .time(token.expiresAt),
                        "username": .text(token.snapshot?.account.username),
                        "appleUser": .text(token.snapshot?.account.apple?.person.user.rawValue),
                    ])
                }
            ),
            "waitingMail": .array(export.waitingMail.map { .time($0) }),
            "appleTransfer": export.transfer.map {
                .object([
                    "identifier": .string($0.identifier.user.rawValue),
                    "teamId": .string($0.team.rawValue),
                ])
            } ?? .null,
            "activity": .array(export.auditEntries.map { .object(Self.document($0)) }),
            "activityIsTruncated": .boolean(export.isAuditTruncated),
        ]
    }

    /// The user's own entries of the audit log; they do not name the administrators of the server.
    private static func document(_ entry: AuditEntry) -> JSONObject {
        [
            "at": .preciseTime(entry.occurredAt), "action": .string(entry.action),
            "actor": .string(entry.actor), "session": .text(entry.session?.rawValue),
            "address": .text(entry.address), "client": .text(entry.client),
            "detail": .text(entry.detail),
        ]
    }
}

extension JSONValue {
    static func optionalTime(_ date: Date?) -> JSONValue { date.map { .time($0) } ?? .null }
}
