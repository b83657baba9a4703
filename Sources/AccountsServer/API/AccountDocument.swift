import Accounts
import AppleIdentity
import Foundation

/// An account as the interface for programs writes it; what is not known is null, never left out.
enum AccountDocument {
    static func of(_ account: Account) -> JSONObject {
        [
            "id": .string(account.id.rawValue),
            "name": .text(account.name),
            "email": .text(account.email),
            "emailIsPrivateRelay": .boolean(account.emailIsPrivateRelay),
            "emailDeliverable": .boolean(account.emailDeliverable),
            "username": .text(account.username),
            "apple": account.apple.map { .object(link($0)) } ?? .null,
            "createdAt": .time(account.createdAt),
        ]
    }

    private static func link(_ link: AppleLink) -> JSONObject {
        [
            "user": .string(link.user.rawValue),
            "clientId": .string(link.clientID.rawValue),
            "linkedAt": .time(link.linkedAt),
            "revokedAt": link.revokedAt.map { .time($0) } ?? .null,
        ]
    }
}

extension JSONValue {
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// A moment in ISO 8601, in UTC.
    static func time(_ date: Date) -> JSONValue { .string(date.formatted(.iso8601)) }
}
