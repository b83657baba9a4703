import Accounts
import AppleIdentity
import Foundation

/// The columns of an account and its Apple identity, read by position.
enum AccountRow {
    static let columns = """
        accounts.id, accounts.name, accounts.email, accounts.email_is_verified,
        accounts.email_is_private_relay, accounts.email_is_own, accounts.mail_is_forwarded,
        accounts.mail_forwarding_changed_at, accounts.username, accounts.created_at,
        accounts.given_name, accounts.family_name,
        accounts.pending_email, accounts.pending_email_session,
        apple_identities.issuer, apple_identities.subject, apple_identities.client_id,
        apple_identities.linked_at, apple_identities.consented_at, apple_identities.revoked_at,
        apple_identities.has_refresh_token,
        accounts.email_since, accounts.password_set_at
        """

    static let tables = "accounts \(identityJoin)"

    static let identityJoin = """
        LEFT JOIN apple_identities ON apple_identities.account_id = accounts.id
        """

    /// Reads an account; nil when an outer join found none.
    static func read(_ row: SQLRow, from start: Int = 0) throws(AccountStoreError) -> Account? {
        guard let id = try row.optionalText(start) else { return nil }
        return Account(
            id: AccountID(id),
            name: try name(row, start + 1, parts: start + 10),
            email: try email(row, from: start + 2),
            emailSince: try row.optionalDate(start + 21),
            pendingEmail: try pendingEmail(row, from: start + 12),
            isMailForwarded: try row.boolean(start + 6),
            mailForwardingChangedAt: try row.optionalDate(start + 7),
            username: try row.optionalText(start + 8),
            passwordSetAt: try row.optionalDate(start + 22),
            apple: try link(row, from: start + 14),
            createdAt: try row.date(start + 9)
        )
    }

    /// Reads a name, nil if NULL; the columns at `parts` are the given and the family name.
    static func name(
        _ row: SQLRow,
        _ text: Int,
        parts: Int
    ) throws(AccountStoreError) -> AccountName? {
        guard let text = try row.optionalText(text) else { return nil }
        return AccountName(
            text: text,
            givenName: try row.optionalText(parts),
            familyName: try row.optionalText(parts + 1)
        )
    }

    private static func email(
        _ row: SQLRow,
        from start: Int
    ) throws(AccountStoreError) -> EmailAddress? {
        guard let text = try row.optionalText(start) else { return nil }
        return EmailAddress(
            text: text,
            isVerified: try row.boolean(start + 1),
            isPrivateRelay: try row.boolean(start + 2),
            isOwn: try row.boolean(start + 3)
        )
    }

    private static func pendingEmail(
        _ row: SQLRow,
        from start: Int
    ) throws(AccountStoreError) -> PendingEmail? {
        guard let address = try row.optionalText(start),
            let session = try row.optionalText(start + 1)
        else { return nil }
        return PendingEmail(address: address, session: SessionID(rawValue: session))
    }

    private static func link(_ row: SQLRow, from start: Int) throws(AccountStoreError) -> AppleLink?
    {
        guard let issuer = try row.optionalText(start) else { return nil }
        return AppleLink(
            person: ApplePerson(
                issuer: issuer,
                user: UserID(rawValue: try row.text(start + 1))
            ),
            clientID: ClientID(rawValue: try row.text(start + 2)),
            linkedAt: try row.date(start + 3),
            consentedAt: try row.date(start + 4),
            revokedAt: try row.optionalDate(start + 5),
            hasRefreshToken: try row.boolean(start + 6)
        )
    }
}
