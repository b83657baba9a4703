import Accounts
import AppleIdentity
import Foundation

extension Account {
    var insertion: [Statement] {
        [.insert(into: "accounts", columns)] + (apple.map { [$0.statement(of: id)] } ?? [])
    }

    var update: [Statement] {
        let unlinking = Statement.delete(
            from: "apple_identities",
            where: ["account_id": .text(id.rawValue)]
        )
        return [
            .update("accounts", columns, where: ["id": .text(id.rawValue)]),
            apple?.statement(of: id) ?? unlinking,
        ]
    }

    private var columns: Statement.Columns {
        [
            "id": .text(id.rawValue), "name": .text(name?.text),
            "given_name": .text(name?.givenName), "family_name": .text(name?.familyName),
            "email": .text(email?.text), "email_key": .text(email?.key),
            "email_is_verified": .boolean(email?.isVerified ?? false),
            "email_is_private_relay": .boolean(email?.isPrivateRelay ?? false),
            "email_is_own": .boolean(email?.isOwn ?? false),
            "email_since": .date(emailSince), "password_set_at": .date(passwordSetAt),
            "pending_email": .text(pendingEmail?.address),
            "pending_email_session": .text(pendingEmail?.session.rawValue),
            "mail_is_forwarded": .boolean(isMailForwarded),
            "mail_forwarding_changed_at": .date(mailForwardingChangedAt),
            "username": .text(username), "created_at": .date(createdAt),
        ]
    }
}

extension AppleLink {
    /// Never moves an identity from another account: the insertion fails instead.
    fileprivate func statement(of account: AccountID) -> Statement {
        .put(
            into: "apple_identities",
            key: "account_id",
            [
                "account_id": .text(account.rawValue), "issuer": .text(person.issuer),
                "subject": .text(person.user.rawValue), "client_id": .text(clientID.rawValue),
                "linked_at": .date(linkedAt), "consented_at": .date(consentedAt),
                "revoked_at": .date(revokedAt), "has_refresh_token": .boolean(hasRefreshToken),
            ]
        )
    }
}

extension Session {
    func insertion(_ hash: SecretHash) -> Statement {
        .insert(
            into: "sessions",
            [
                "token_hash": .bytes(hash.bytes), "id": .text(id.rawValue),
                "account_id": .text(accountID.rawValue), "device": .text(device),
                "sign_in_method": .text(signInMethod.rawValue), "created_at": .date(createdAt),
                "signed_in_at": .date(signedInAt), "last_used_at": .date(lastUsedAt),
                "expires_at": .date(expiresAt),
            ]
        )
    }
}

extension RefreshToken {
    func statement(of account: AccountID) -> Statement {
        .put(
            into: "apple_refresh_tokens",
            key: "account_id, client_id",
            [
                "account_id": .text(account.rawValue), "client_id": .text(clientID.rawValue),
                "id": .text(id.rawValue), "sealed_token": .text(sealedToken),
                "received_at": .date(receivedAt), "validates_at": .date(firstValidation),
            ]
        )
    }
}

extension Throttle {
    var statement: Statement {
        .put(
            into: "throttles",
            key: "key",
            [
                "key": .bytes(key.bytes), "attempt_count": .count(attemptCount),
                "blocked_until": .date(blockedUntil), "expires_at": .date(expiresAt),
            ]
        )
    }
}

extension MailToken {
    func insertion() throws(AccountStoreError) -> Statement {
        .insert(
            into: "mail_tokens",
            [
                "hash": .bytes(hash.bytes), "account_id": .text(account.rawValue),
                "purpose": .text(purpose.rawValue), "address": .text(address),
                "expires_at": .date(expiresAt), "snapshot": .text(try snapshot?.storedText()),
            ],
            onConflict: "(hash) DO NOTHING"
        )
    }
}

extension AccountSnapshot {
    fileprivate func storedText() throws(AccountStoreError) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        } catch {
            throw AccountStoreError(.failed, hint: "the link of a mail can't be encoded")
        }
    }
}

extension AppCode {
    var statement: Statement {
        .insert(
            into: "app_codes",
            [
                "hash": .bytes(hash.bytes), "account_id": .text(account.rawValue),
                "session_id": .text(session.rawValue),
                "client_id": .text(binding.clientID.rawValue),
                "redirect_uri": .text(binding.redirectURI), "challenge": .text(binding.challenge),
                "expires_at": .date(expiresAt),
            ],
            onConflict: "(hash) DO NOTHING"
        )
    }
}

extension AppleTransfer {
    var statement: Statement {
        .put(
            into: "apple_transfers",
            key: "account_id",
            [
                "account_id": .text(account.rawValue), "issuer": .text(identifier.issuer),
                "identifier": .text(identifier.user.rawValue), "team_id": .text(team.rawValue),
            ]
        )
    }
}

extension AppleEvent {
    /// Deletes the event first, because an expired row of it may still exist.
    var statements: [Statement] {
        let hashes: [SQLValue] = [.bytes(notificationHash.bytes), .bytes(eventHash.bytes)]
        return [
            Statement(
                "DELETE FROM apple_events WHERE notification_hash = $1 OR event_hash = $2",
                hashes
            ),
            .insert(
                into: "apple_events",
                [
                    "notification_hash": hashes[0], "event_hash": hashes[1],
                    "person_hash": .bytes(person.hash.bytes),
                    "consent_ended_at": .date(endsConsent ? eventTime : nil),
                    "remembered_until": .date(rememberedUntil),
                ]
            ),
        ]
    }
}

extension OutboxEntry {
    func insertion() throws(AccountStoreError) -> Statement {
        .insert(
            into: "outbox",
            [
                "id": .text(id.rawValue), "kind": .text(task.kind.rawValue),
                "payload": .text(try task.storedPayload()), "person_hash": .bytes(person?.bytes),
                "waits_for": .text(waitsFor?.rawValue), "created_at": .date(createdAt),
                "next_attempt_at": .date(createdAt),
            ]
        )
    }
}

extension OutboxTask {
    func storedPayload() throws(AccountStoreError) -> String {
        do {
            return try payload()
        } catch {
            throw AccountStoreError(.failed, hint: "an outbox entry can't be encoded")
        }
    }
}

extension AuditEntry {
    var statement: Statement {
        .insert(
            into: "audit_entries",
            [
                "id": .text(id.rawValue), "occurred_at": .date(occurredAt),
                "action": .text(action), "actor": .text(actor),
                "administrator": .text(administrator), "account_id": .text(account?.rawValue),
                "session_id": .text(session?.rawValue), "address": .text(address),
                "client": .text(client), "detail": .text(detail),
            ],
            onConflict: "(id) DO NOTHING"
        )
    }
}
