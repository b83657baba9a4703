import Accounts
import AppleIdentity
import Foundation

/// All that is kept about a person, as JSON.
struct ExportDocument: Sendable {
    let object: JSONObject

    init(_ export: AccountExport, askedBy session: Session) {
        let account = export.account
        object = [
            "account": .object(AccountRoutes.document(account)),
            "mailForwardingChangedAt": .optionalTime(account.mailForwardingChangedAt),
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
                    ])
                }
            ),
            "waitingMail": .array(export.waitingMail.map { .time($0) }),
        ]
    }
}

extension JSONValue {
    static func optionalTime(_ date: Date?) -> JSONValue { date.map { .time($0) } ?? .null }
}
