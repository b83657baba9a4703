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
        accounts.email_is_own, accounts.given_name, accounts.family_name,
        accounts.pending_email, accounts.pending_email_session,
        apple_identities.issuer, apple_identities.subject, apple_identities.client_id,
        apple_identities.linked_at, apple_identities.consented_at, apple_identities.revoked_at,
        apple_identities.has_refresh_token
        """

    static let tables = "accounts \(identityJoin)"

    static let identityJoin = """
        LEFT JOIN apple_identities ON apple_identities.account_id = accounts.id
        """

    /// Nil when an outer join found no account.
    static func read(_ row: some ColumnValues, from start: Int = 0) throws -> Account? {
        let id: String? = try row[start]
        guard let id else { return nil }
        let email: String? = try row[start + 2]
        let forwardingChangedAt: Int64? = try row[start + 6]
        return Account(
            id: AccountID(id),
            name: try name(row, start + 1, parts: start + 10),
            email: try email.map {
                EmailAddress(
                    text: $0,
                    isVerified: try row[start + 3],
                    isPrivateRelay: try row[start + 4],
                    isOwn: try row[start + 9]
                )
            },
            pendingEmail: try pendingEmail(row, from: start + 12),
            isMailForwarded: try row[start + 5],
            mailForwardingChangedAt: forwardingChangedAt.map(Date.init(microseconds:)),
            username: try row[start + 8],
            apple: try link(row, from: start + 14),
            createdAt: Date(microseconds: try row[start + 7])
        )
    }

    /// Nil when there is none; the family name stands behind the given name.
    static func name(_ row: some ColumnValues, _ text: Int, parts: Int) throws -> AccountName? {
        let text: String? = try row[text]
        return try text.map {
            AccountName(text: $0, givenName: try row[parts], familyName: try row[parts + 1])
        }
    }

    private static func pendingEmail(
        _ row: some ColumnValues,
        from start: Int
    ) throws -> PendingEmail? {
        let address: String? = try row[start]
        let session: String? = try row[start + 1]
        guard let address, let session else { return nil }
        return PendingEmail(address: address, session: SessionID(rawValue: session))
    }

    private static func link(_ row: some ColumnValues, from start: Int) throws -> AppleLink? {
        let issuer: String? = try row[start]
        let revokedAt: Int64? = try row[start + 5]
        return try issuer.map { issuer in
            AppleLink(
                person: ApplePerson(issuer: issuer, user: UserID(rawValue: try row[start + 1])),
                clientID: ClientID(rawValue: try row[start + 2]),
                linkedAt: Date(microseconds: try row[start + 3]),
                consentedAt: Date(microseconds: try row[start + 4]),
                revokedAt: revokedAt.map(Date.init(microseconds:)),
                hasRefreshToken: try row[start + 6]
            )
        }
    }
}
