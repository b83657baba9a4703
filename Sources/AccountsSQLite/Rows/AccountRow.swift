import Accounts
import AppleIdentity
import Foundation
import GRDB

/// The columns of an account and its Apple identity, read by position.
enum AccountRow {
    static let columns = """
        accounts.id, accounts.name, accounts.email, accounts.email_is_verified,
        accounts.email_is_private_relay, accounts.email_is_deliverable, accounts.created_at,
        apple_identities.subject, apple_identities.client_id, apple_identities.linked_at,
        apple_identities.revoked_at
        """

    static let tables = "accounts \(identityJoin)"

    static let identityJoin = """
        LEFT JOIN apple_identities ON apple_identities.account_id = accounts.id
        """

    static func read(_ row: Row, from start: Int = 0) -> Account {
        let email: String? = row[start + 2]
        let isVerified: Bool = row[start + 3]
        let isForwarded: Bool = row[start + 5]
        return Account(
            id: AccountID(rawValue: row[start]),
            name: row[start + 1],
            email: email,
            emailIsVerified: isVerified,
            emailIsPrivateRelay: row[start + 4],
            emailDeliverable: email != nil && isVerified && isForwarded,
            username: nil,
            apple: link(row, from: start + 7),
            createdAt: Date(timeIntervalSince1970: row[start + 6])
        )
    }

    private static func link(_ row: Row, from start: Int) -> AppleLink? {
        let subject: String? = row[start]
        let revokedAt: Double? = row[start + 3]
        return subject.map { subject in
            AppleLink(
                user: UserID(rawValue: subject),
                clientID: ClientID(rawValue: row[start + 1]),
                linkedAt: Date(timeIntervalSince1970: row[start + 2]),
                revokedAt: revokedAt.map { Date(timeIntervalSince1970: $0) }
            )
        }
    }
}
