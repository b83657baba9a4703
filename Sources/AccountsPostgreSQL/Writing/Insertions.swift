import Accounts
import AppleIdentity
import Foundation

extension Account {
    private static let insertion = Insertion(
        into: "accounts",
        [
            ("name", .text), ("email", .text), ("email_key", .text),
            ("email_is_verified", .boolean), ("email_is_private_relay", .boolean),
            ("email_is_own", .boolean), ("mail_is_forwarded", .boolean),
            ("mail_forwarding_changed_at", .integer), ("username", .text),
            ("created_at", .integer), ("given_name", .text), ("family_name", .text),
            ("pending_email", .text), ("pending_email_session", .text), ("id", .text),
        ]
    )

    var insertion: [Statement] {
        [Self.insertion.row(columns)] + (apple.map { [$0.statement(of: id)] } ?? [])
    }

    var update: [Statement] {
        let update = Statement(
            """
            UPDATE accounts SET name = $1, email = $2, email_key = $3, email_is_verified = $4,
                email_is_private_relay = $5, email_is_own = $6, mail_is_forwarded = $7,
                mail_forwarding_changed_at = $8, username = $9, created_at = $10,
                given_name = $11, family_name = $12,
                pending_email = $13, pending_email_session = $14
            WHERE id = $15
            """,
            columns
        )
        let unlinking = Statement(
            "DELETE FROM apple_identities WHERE account_id = $1",
            [.text(id.rawValue)]
        )
        return [update, apple?.statement(of: id) ?? unlinking]
    }

    /// The values of the columns, in the order of both statements above.
    private var columns: [StatementValue] {
        [
            .text(name?.text), .text(email?.text), .text(email?.key),
            .boolean(email?.isVerified ?? false), .boolean(email?.isPrivateRelay ?? false),
            .boolean(email?.isOwn ?? false), .boolean(isMailForwarded),
            .integer(mailForwardingChangedAt?.microseconds), .text(username),
            .integer(createdAt.microseconds), .text(name?.givenName), .text(name?.familyName),
            .text(pendingEmail?.address), .text(pendingEmail?.session.rawValue),
            .text(id.rawValue),
        ]
    }
}

extension AppleLink {
    /// An identity that opens another account is never moved: the insertion fails instead.
    private static let insertion = Insertion(
        into: "apple_identities",
        [
            ("issuer", .text), ("subject", .text), ("account_id", .text), ("client_id", .text),
            ("linked_at", .integer), ("consented_at", .integer), ("revoked_at", .integer),
            ("has_refresh_token", .boolean),
        ],
        onConflict: """
            (account_id) DO UPDATE SET
                issuer = excluded.issuer, subject = excluded.subject,
                client_id = excluded.client_id, linked_at = excluded.linked_at,
                consented_at = excluded.consented_at, revoked_at = excluded.revoked_at,
                has_refresh_token = excluded.has_refresh_token
            """
    )

    fileprivate func statement(of account: AccountID) -> Statement {
        Self.insertion.row(
            [
                .text(person.issuer), .text(person.user.rawValue), .text(account.rawValue),
                .text(clientID.rawValue), .integer(linkedAt.microseconds),
                .integer(consentedAt.microseconds), .integer(revokedAt?.microseconds),
                .boolean(hasRefreshToken),
            ]
        )
    }
}

extension Session {
    private static let insertion = Insertion(
        into: "sessions",
        [
            ("token_hash", .bytes), ("id", .text), ("account_id", .text), ("device", .text),
            ("sign_in_method", .text), ("created_at", .integer), ("signed_in_at", .integer),
            ("last_used_at", .integer),
            ("expires_at", .integer),
        ]
    )

    func insertion(_ hash: SecretHash) -> Statement {
        Self.insertion.row(
            [
                .bytes(hash.bytes), .text(id.rawValue), .text(accountID.rawValue), .text(device),
                .text(signInMethod.rawValue), .integer(createdAt.microseconds),
                .integer(signedInAt.microseconds),
                .integer(lastUsedAt.microseconds), .integer(expiresAt.microseconds),
            ]
        )
    }
}

extension SessionUse {
    var statement: Statement {
        Statement(
            """
            UPDATE sessions SET last_used_at = $1, expires_at = $2
            WHERE id = $3 AND last_used_at < $1
            """,
            [
                .integer(lastUsedAt.microseconds), .integer(expiresAt.microseconds),
                .text(session.rawValue),
            ]
        )
    }
}

extension RefreshToken {
    private static let insertion = Insertion(
        into: "apple_refresh_tokens",
        [
            ("account_id", .text), ("client_id", .text), ("id", .text), ("sealed_token", .text),
            ("received_at", .integer), ("validates_at", .integer),
        ],
        onConflict: """
            (account_id, client_id) DO UPDATE SET
                id = excluded.id, sealed_token = excluded.sealed_token,
                received_at = excluded.received_at, validates_at = excluded.validates_at
            """
    )

    func insertion(of account: AccountID) -> Statement {
        Self.insertion.row(
            [
                .text(account.rawValue), .text(clientID.rawValue), .text(id.rawValue),
                .text(sealedToken), .integer(receivedAt.microseconds),
                .integer(firstValidation.microseconds),
            ]
        )
    }
}

extension AppleEvent {
    /// One that was known before its time was over may be there still.
    var statements: [Statement] {
        let hashes: [StatementValue] = [.bytes(notificationHash.bytes), .bytes(eventHash.bytes)]
        return [
            Statement(
                "DELETE FROM apple_events WHERE notification_hash = $1 OR event_hash = $2",
                hashes
            ),
            Statement(
                """
                INSERT INTO apple_events (notification_hash, event_hash, person_hash,
                    consent_ended_at, remembered_until)
                VALUES ($1, $2, $3, $4, $5)
                """,
                hashes + [
                    .bytes(person.hash.bytes),
                    .integer(endsConsent ? eventTime.microseconds : nil),
                    .integer(rememberedUntil.microseconds),
                ]
            ),
        ]
    }
}

extension OutboxEntry {
    func insertion() throws(AccountStoreError) -> Statement {
        Statement(
            """
            INSERT INTO outbox (id, kind, payload, person_hash, waits_for, created_at,
                next_attempt_at)
            VALUES ($1, $2, $3, $4, $5, $6, $6)
            """,
            [
                .text(id.rawValue), .text(task.kind.rawValue), .text(try task.storedPayload()),
                .bytes(person?.bytes), .text(waitsFor?.rawValue), .integer(createdAt.microseconds),
            ]
        )
    }
}

extension OutboxTask {
    func storedPayload() throws(AccountStoreError) -> String {
        do {
            return try payload()
        } catch {
            throw AccountStoreError(.failed, hint: "an outbox entry can't be written")
        }
    }
}

extension SecretHash {
    private static let use = Insertion(
        into: "used_once",
        [("hash", .bytes), ("remembered_until", .integer)]
    )

    /// Remembers that what has this hash was used.
    func use(until end: Date) -> Statement {
        Self.use.row([.bytes(bytes), .integer(end.microseconds)])
    }
}
