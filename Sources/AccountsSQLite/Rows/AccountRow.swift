import Accounts
import AppleIdentity
import Foundation
import GRDB

/// The columns of an account and its Apple identity, read by position.
enum AccountRow {
    static let columns = """
        accounts.id, accounts.name, accounts.email, accounts.email_is_verified,
        accounts.email_is_private_relay, accounts.mail_is_forwarded,
        accounts.mail_forwarding_changed_at, accounts.created_at, accounts.username,
        accounts.email_is_own,
        apple_identities.issuer, apple_identities.subject, apple_identities.client_id,
        apple_identities.linked_at, apple_identities.consented_at, apple_identities.revoked_at
        """

    static let tables = "accounts \(identityJoin)"

    static let identityJoin = """
        LEFT JOIN apple_identities ON apple_identities.account_id = accounts.id
        """

    /// Nil when an outer join found no account.
    static func read(_ row: some ColumnValues, from start: Int = 0) -> Account? {
        let id: String? = row[start]
        guard let id else { return nil }
        let email: String? = row[start + 2]
        let forwardingChangedAt: Int64? = row[start + 6]
        return Account(
            id: AccountID(id),
            name: row[start + 1],
            email: email.map {
                EmailAddress(
                    text: $0,
                    isVerified: row[start + 3],
                    isPrivateRelay: row[start + 4],
                    isOwn: row[start + 9]
                )
            },
            isMailForwarded: row[start + 5],
            mailForwardingChangedAt: forwardingChangedAt.map(Date.init(microseconds:)),
            username: row[start + 8],
            apple: link(row, from: start + 10),
            createdAt: Date(microseconds: row[start + 7])
        )
    }

    private static func link(_ row: some ColumnValues, from start: Int) -> AppleLink? {
        let issuer: String? = row[start]
        let revokedAt: Int64? = row[start + 5]
        return issuer.map { issuer in
            AppleLink(
                person: ApplePerson(issuer: issuer, user: UserID(rawValue: row[start + 1])),
                clientID: ClientID(rawValue: row[start + 2]),
                linkedAt: Date(microseconds: row[start + 3]),
                consentedAt: Date(microseconds: row[start + 4]),
                revokedAt: revokedAt.map(Date.init(microseconds:))
            )
        }
    }
}
