import AppleIdentity
import Foundation

extension [StoreWrite] {
    /// The statements that apply the writes, in their order.
    package func statements() throws(AccountStoreError) -> [Statement] {
        var statements: [Statement] = []
        for write in self { statements += try write.statements() }
        return statements
    }
}

extension StoreWrite {
    fileprivate func statements() throws(AccountStoreError) -> [Statement] {
        switch self {
        case .insertAccount(let account): try account.insertion()
        case .updateAccount(let account): try account.update()
        // Foreign keys delete the identity, the refresh tokens and the sessions too.
        case .removeAccount(let id): [.init("DELETE FROM accounts WHERE id = $1", id)]
        case .insertSession(let session, let hash):
            [try Tables.sessions.insertion(of: StoredSession(session: session, tokenHash: hash))]
        case .removeSession(let id): [.init("DELETE FROM sessions WHERE id = $1", id)]
        case .removeSessions(let account, let session, let method):
            [.removeSessions(of: account, except: session, openedBy: method)]
        case .recordUse(let use): [use.statement]
        case .putPassword(let password): [try Tables.passwords.replacement(by: password)]
        case .removePassword(let account):
            [.init("DELETE FROM passwords WHERE account_id = $1", account)]
        case .putThrottle(let throttle): [try Tables.throttles.replacement(by: throttle)]
        case .forgetThrottle(let key): [.init("DELETE FROM throttles WHERE key = $1", key)]
        case .putMailToken(let token): [try Tables.mailTokens.insertion(of: token, ifAbsent: true)]
        case .removeMailTokens(let account, let purpose, let start):
            [.removeMailTokens(of: account, purpose, endingFrom: start)]
        case .putAppCode(let code): [try Tables.appCodes.insertion(of: code, ifAbsent: true)]
        case .removeAppCode(let hash): [.init("DELETE FROM app_codes WHERE hash = $1", hash)]
        case .removeAppCodes(let account):
            [.init("DELETE FROM app_codes WHERE account_id = $1", account)]
        case .putRefreshToken(let token, let account):
            [try Tables.refreshTokens.replacement(by: Owned(account: account, value: token))]
        case .replaceSealedToken(let token, let account):
            [
                .init(
                    """
                    UPDATE apple_refresh_tokens SET sealed_token = $1
                    WHERE account_id = $2 AND client_id = $3
                    """,
                    token.sealedToken,
                    account,
                    token.clientID
                )
            ]
        case .removeRefreshToken(let account, let client):
            [
                .init(
                    "DELETE FROM apple_refresh_tokens WHERE account_id = $1 AND client_id = $2",
                    account,
                    client
                ),
                .losingTokens(account),
            ]
        case .removeRefreshTokens(let account):
            [.init("DELETE FROM apple_refresh_tokens WHERE account_id = $1", account)]
        case .putTransfer(let transfer): [try Tables.transfers.replacement(by: transfer)]
        case .removeTransfer(let account):
            [.init("DELETE FROM apple_transfers WHERE account_id = $1", account)]
        case .keepName(let name, let person, let time):
            [
                try Tables.pendingNames.replacement(
                    by: PendingName(person: person, name: name, createdAt: time)
                )
            ]
        case .forgetName(let person):
            [
                .init(
                    "DELETE FROM pending_names WHERE issuer = $1 AND subject = $2",
                    person.issuer,
                    person.user
                )
            ]
        case .useOnce(let hash, let end):
            [try Tables.usedOnce.insertion(of: UsedHash(hash: hash, rememberedUntil: end))]
        case .rememberEvent(let event):
            [event.removal, try Tables.events.insertion(of: StoredEvent(event))]
        case .putTokenKey(let key): [try Tables.tokenKeys.replacement(by: key)]
        case .removeTokenKey(let id): [.init("DELETE FROM token_keys WHERE id = $1", id)]
        case .enqueue(let entry): [try Tables.outbox.insertion(of: StoredEntry(entry))]
        case .replaceTask(let id, let task):
            [.init("UPDATE outbox SET payload = $1 WHERE id = $2", try task.payload(), id)]
        case .removeEntries(let ids): ids.map { .init("DELETE FROM outbox WHERE id = $1", $0) }
        case .removeMail(let account):
            [.init("DELETE FROM outbox WHERE person_hash = $1", account.mailHash)]
        case .recordAudit(let entry):
            [try Tables.auditEntries.insertion(of: entry, ifAbsent: true)]
        case .forgetAudit(let ids):
            ids.map { .init("DELETE FROM audit_entries WHERE id = $1", $0) }
        }
    }
}

extension Account {
    fileprivate func insertion() throws(AccountStoreError) -> [Statement] {
        let insertion = try Tables.accounts.insertion(of: self)
        guard let apple else { return [insertion] }
        return [insertion, try identity(apple)]
    }

    fileprivate func update() throws(AccountStoreError) -> [Statement] {
        let update = try Tables.accounts.change(to: self)
        guard let apple else {
            return [update, Statement("DELETE FROM apple_identities WHERE account_id = $1", id)]
        }
        return [update, try identity(apple)]
    }

    /// Never moves an identity from another account: the insertion fails instead.
    private func identity(_ link: AppleLink) throws(AccountStoreError) -> Statement {
        try Tables.identities.replacement(by: Owned(account: id, value: link))
    }
}

extension AppleEvent {
    /// Deletes the event, because an expired row of it may still exist.
    fileprivate var removal: Statement {
        Statement(
            "DELETE FROM apple_events WHERE notification_hash = $1 OR event_hash = $2",
            notificationHash,
            eventHash
        )
    }
}

extension Statement {
    fileprivate init(_ sql: String, _ values: any StoredValue...) {
        self.init(sql, values.map(\.stored))
    }

    fileprivate static func removeSessions(
        of account: AccountID,
        except session: SessionID?,
        openedBy method: SignInMethod?
    ) -> Statement {
        Statement(
            """
            DELETE FROM sessions WHERE account_id = $1 AND id IS DISTINCT FROM $2
                AND (CAST($3 AS TEXT) IS NULL OR sign_in_method = $3)
            """,
            account,
            session,
            method
        )
    }

    fileprivate static func removeMailTokens(
        of account: AccountID,
        _ purpose: MailToken.Purpose,
        endingFrom start: Date?
    ) -> Statement {
        Statement(
            """
            DELETE FROM mail_tokens WHERE account_id = $1 AND purpose = $2
                AND (CAST($3 AS BIGINT) IS NULL OR expires_at >= $3)
            """,
            account,
            purpose,
            start
        )
    }

    fileprivate static func losingTokens(_ account: AccountID) -> Statement {
        Statement(
            """
            UPDATE apple_identities SET has_refresh_token = false WHERE account_id = $1
                AND NOT EXISTS (SELECT 1 FROM apple_refresh_tokens WHERE account_id = $1)
            """,
            account
        )
    }
}

extension SessionUse {
    fileprivate var statement: Statement {
        Statement(
            """
            UPDATE sessions SET last_used_at = $1, expires_at = $2
            WHERE id = $3 AND last_used_at < $1
            """,
            lastUsedAt,
            expiresAt,
            session
        )
    }
}
