import Accounts
import AppleIdentity
import Foundation
import GRDB

extension Database {
    /// Carries out what a rule decided.
    func apply(_ writes: [StoreWrite]) throws {
        for write in writes { try apply(write) }
    }

    private func apply(_ write: StoreWrite) throws {
        switch write {
        case .insertAccount(let account): try insert(account)
        case .updateAccount(let account): try update(account)
        case .removeAccount(let id):
            // Identity, refresh tokens and sessions go along, by the foreign keys.
            try run("DELETE FROM accounts WHERE id = ?", [id.rawValue])
        case .putPassword, .putThrottle, .forgetThrottle, .putMailToken, .removeMailTokens:
            try applyToPasswords(write)
        case .putAppCode, .removeAppCode, .removeAppCodes: try applyToAppCodes(write)
        case .insertSession(let session, let hash): try insert(session, hash)
        case .removeSession(let id): try run("DELETE FROM sessions WHERE id = ?", [id.rawValue])
        case .removeSessions(let account, let session, let method):
            try run(
                """
                DELETE FROM sessions WHERE account_id = ?1 AND id IS NOT ?2
                    AND (?3 IS NULL OR sign_in_method = ?3)
                """,
                [account.rawValue, session?.rawValue, method?.rawValue]
            )
        case .recordUse(let use): try record(use)
        case .putRefreshToken(let token, let account): try put(token, of: account)
        case .removeRefreshToken(let account, let client):
            try run(
                "DELETE FROM apple_refresh_tokens WHERE account_id = ? AND client_id = ?",
                [account.rawValue, client.rawValue]
            )
        case .removeRefreshTokens(let account):
            try run("DELETE FROM apple_refresh_tokens WHERE account_id = ?", [account.rawValue])
        case .putTransfer(let transfer): try put(transfer)
        case .removeTransfer(let account):
            try run("DELETE FROM apple_transfers WHERE account_id = ?", [account.rawValue])
        case .keepName(let name, let person, let time): try keep(name, of: person, at: time)
        case .forgetName(let person):
            try run(
                "DELETE FROM pending_names WHERE issuer = ? AND subject = ?",
                [person.issuer, person.user.rawValue]
            )
        case .useOnce(let hash, let until):
            try run(
                "INSERT INTO used_once (hash, remembered_until) VALUES (?, ?)",
                [hash.bytes, until.microseconds]
            )
        case .rememberEvent(let event): try remember(event)
        case .enqueue, .replaceTask, .removeEntries, .removeMail: try applyToOutbox(write)
        case .recordAudit, .forgetAudit: try applyToAudit(write)
        case .replaceSealedToken(let token, let account):
            try run(
                """
                UPDATE apple_refresh_tokens SET sealed_token = ?
                WHERE account_id = ? AND client_id = ?
                """,
                [token.sealedToken, account.rawValue, token.clientID.rawValue]
            )
        }
    }

    /// Carries out what a rule decided about work that waits; nothing else comes here.
    private func applyToOutbox(_ write: StoreWrite) throws {
        switch write {
        case .enqueue(let entry): try enqueue(entry)
        case .replaceTask(let id, let task):
            try run(
                "UPDATE outbox SET payload = ? WHERE id = ?",
                [try task.payload(), id.rawValue]
            )
        case .removeEntries(let ids):
            for id in ids { try run("DELETE FROM outbox WHERE id = ?", [id.rawValue]) }
        case .removeMail(let account):
            try run(
                "DELETE FROM outbox WHERE person_hash = ? AND kind = ?",
                [account.mailHash.bytes, OutboxTask.Kind.mail.rawValue]
            )
        default: break
        }
    }

    private func insert(_ account: Account) throws {
        try run(
            """
            INSERT INTO accounts (name, given_name, family_name, email, email_is_verified,
                email_is_private_relay, email_is_own, pending_email, pending_email_session,
                mail_is_forwarded, mail_forwarding_changed_at, username, created_at, id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            account.columns
        )
        if let link = account.apple { try put(link, of: account.id) }
    }

    private func update(_ account: Account) throws {
        try run(
            """
            UPDATE accounts SET name = ?, given_name = ?, family_name = ?, email = ?,
                email_is_verified = ?, email_is_private_relay = ?, email_is_own = ?,
                pending_email = ?, pending_email_session = ?, mail_is_forwarded = ?,
                mail_forwarding_changed_at = ?, username = ?, created_at = ?
            WHERE id = ?
            """,
            account.columns
        )
        if let link = account.apple {
            try put(link, of: account.id)
        } else {
            try run("DELETE FROM apple_identities WHERE account_id = ?", [account.id.rawValue])
        }
    }

    /// An identity that opens another account is never moved: the insertion fails instead.
    private func put(_ link: AppleLink, of account: AccountID) throws {
        try run(
            """
            INSERT INTO apple_identities (issuer, subject, account_id, client_id, linked_at,
                consented_at, revoked_at, has_refresh_token)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account_id) DO UPDATE SET
                issuer = excluded.issuer, subject = excluded.subject,
                client_id = excluded.client_id, linked_at = excluded.linked_at,
                consented_at = excluded.consented_at, revoked_at = excluded.revoked_at,
                has_refresh_token = excluded.has_refresh_token
            """,
            [
                link.person.issuer, link.person.user.rawValue, account.rawValue,
                link.clientID.rawValue, link.linkedAt.microseconds, link.consentedAt.microseconds,
                link.revokedAt?.microseconds, link.hasRefreshToken,
            ]
        )
    }

    private func insert(_ session: Session, _ hash: SecretHash) throws {
        try run(
            """
            INSERT INTO sessions (token_hash, id, account_id, device, sign_in_method, created_at,
                signed_in_at, last_used_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                hash.bytes, session.id.rawValue, session.accountID.rawValue, session.device,
                session.signInMethod.rawValue, session.createdAt.microseconds,
                session.signedInAt.microseconds,
                session.lastUsedAt.microseconds, session.expiresAt.microseconds,
            ]
        )
    }

    private func record(_ use: SessionUse) throws {
        try run(
            """
            UPDATE sessions SET last_used_at = ?1, expires_at = ?2
            WHERE id = ?3 AND last_used_at < ?1
            """,
            [use.lastUsedAt.microseconds, use.expiresAt.microseconds, use.session.rawValue]
        )
    }

    private func put(_ token: RefreshToken, of account: AccountID) throws {
        try run(
            """
            INSERT INTO apple_refresh_tokens (account_id, client_id, id, sealed_token, received_at,
                validates_at)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (account_id, client_id) DO UPDATE SET
                id = excluded.id, sealed_token = excluded.sealed_token,
                received_at = excluded.received_at, validates_at = excluded.validates_at
            """,
            [
                account.rawValue, token.clientID.rawValue, token.id.rawValue, token.sealedToken,
                token.receivedAt.microseconds, token.firstValidation.microseconds,
            ]
        )
    }

    private func keep(_ name: AccountName, of person: ApplePerson, at time: Date) throws {
        try run(
            """
            INSERT INTO pending_names (issuer, subject, name, given_name, family_name, created_at)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (issuer, subject) DO UPDATE SET
                name = excluded.name, given_name = excluded.given_name,
                family_name = excluded.family_name, created_at = excluded.created_at
            """,
            [
                person.issuer, person.user.rawValue, name.text, name.givenName, name.familyName,
                time.microseconds,
            ]
        )
    }

    private func remember(_ event: AppleEvent) throws {
        try run(
            // One that was known before its time was over may be there still.
            """
            INSERT OR REPLACE INTO apple_events (notification_hash, event_hash, person_hash,
                consent_ended_at, remembered_until)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                event.notificationHash.bytes, event.eventHash.bytes, event.person.hash.bytes,
                event.endsConsent ? event.eventTime.microseconds : nil,
                event.rememberedUntil.microseconds,
            ]
        )
    }

    private func enqueue(_ entry: OutboxEntry) throws {
        try run(
            """
            INSERT INTO outbox (id, kind, payload, person_hash, waits_for, created_at,
                next_attempt_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
            """,
            [
                entry.id.rawValue, entry.task.kind.rawValue, try entry.task.payload(),
                entry.person?.bytes, entry.waitsFor?.rawValue, entry.createdAt.microseconds,
            ]
        )
    }
}

extension Account {
    /// The values of the columns, in the order of both statements above.
    fileprivate var columns: StatementArguments {
        [
            name?.text, name?.givenName, name?.familyName, email?.text, email?.isVerified ?? false,
            email?.isPrivateRelay ?? false, email?.isOwn ?? false, pendingEmail?.address,
            pendingEmail?.session.rawValue, isMailForwarded,
            mailForwardingChangedAt?.microseconds, username, createdAt.microseconds, id.rawValue,
        ]
    }
}
