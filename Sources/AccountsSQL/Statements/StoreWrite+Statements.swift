import Accounts
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
        case .insertAccount(let account): account.insertion
        case .updateAccount(let account): account.update
        // Foreign keys delete the identity, the refresh tokens and the sessions too.
        case .removeAccount(let id): [.delete(from: "accounts", where: ["id": .text(id.rawValue)])]
        case .insertSession(let session, let hash): [session.insertion(hash)]
        case .removeSession(let id): [.delete(from: "sessions", where: ["id": .text(id.rawValue)])]
        case .removeSessions(let account, let session, let method):
            [.removeSessions(of: account, except: session, openedBy: method)]
        case .recordUse(let use): [use.statement]
        case .putPassword(let password): [password.statement]
        case .removePassword(let account): [.delete(from: "passwords", where: account.key)]
        case .putThrottle(let throttle): [throttle.statement]
        case .forgetThrottle(let key):
            [.delete(from: "throttles", where: ["key": .bytes(key.bytes)])]
        case .putMailToken(let token): [try token.insertion()]
        case .removeMailTokens(let account, let purpose, let start):
            [.removeMailTokens(of: account, purpose, endingFrom: start)]
        case .putAppCode(let code): [code.statement]
        case .removeAppCode(let hash):
            [.delete(from: "app_codes", where: ["hash": .bytes(hash.bytes)])]
        case .removeAppCodes(let account): [.delete(from: "app_codes", where: account.key)]
        case .putRefreshToken(let token, let account): [token.statement(of: account)]
        case .replaceSealedToken(let token, let account): [token.resealing(of: account)]
        case .removeRefreshToken(let account, let client):
            [
                .delete(from: "apple_refresh_tokens", where: account.key(for: client)),
                account.losingTokens,
            ]
        case .removeRefreshTokens(let account):
            [.delete(from: "apple_refresh_tokens", where: account.key)]
        case .putTransfer(let transfer): [transfer.statement]
        case .removeTransfer(let account): [.delete(from: "apple_transfers", where: account.key)]
        case .keepName(let name, let person, let time): [person.keeping(name, at: time)]
        case .forgetName(let person): [.delete(from: "pending_names", where: person.key)]
        case .useOnce(let hash, let end):
            [
                .insert(
                    into: "used_once",
                    ["hash": .bytes(hash.bytes), "remembered_until": .date(end)]
                )
            ]
        case .rememberEvent(let event): event.statements
        case .putTokenKey(let key): [key.statement]
        case .removeTokenKey(let id): [.delete(from: "token_keys", where: ["id": .text(id)])]
        case .enqueue(let entry): [try entry.insertion()]
        case .replaceTask(let id, let task): [try task.replacement(in: id)]
        case .removeEntries(let ids):
            ids.map { .delete(from: "outbox", where: ["id": .text($0.rawValue)]) }
        case .removeMail(let account): [.delete(from: "outbox", where: account.mailKey)]
        case .recordAudit(let entry): [entry.statement]
        case .forgetAudit(let ids):
            ids.map { .delete(from: "audit_entries", where: ["id": .text($0.rawValue)]) }
        }
    }
}

extension Statement {
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
            [.text(account.rawValue), .text(session?.rawValue), .text(method?.rawValue)]
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
            [.text(account.rawValue), .text(purpose.rawValue), .date(start)]
        )
    }
}

extension AccountID {
    fileprivate var key: Statement.Columns { ["account_id": .text(rawValue)] }

    fileprivate func key(for client: ClientID) -> Statement.Columns {
        ["account_id": .text(rawValue), "client_id": .text(client.rawValue)]
    }

    fileprivate var losingTokens: Statement {
        Statement(
            """
            UPDATE apple_identities SET has_refresh_token = false WHERE account_id = $1
                AND NOT EXISTS (SELECT 1 FROM apple_refresh_tokens WHERE account_id = $1)
            """,
            [.text(rawValue)]
        )
    }

    fileprivate var mailKey: Statement.Columns {
        ["person_hash": .bytes(mailHash.bytes)]
    }
}

extension ApplePerson {
    fileprivate var key: Statement.Columns {
        ["issuer": .text(issuer), "subject": .text(user.rawValue)]
    }

    fileprivate func keeping(_ name: AccountName, at time: Date) -> Statement {
        .put(
            into: "pending_names",
            key: "issuer, subject",
            [
                "issuer": .text(issuer), "subject": .text(user.rawValue),
                "name": .text(name.text), "given_name": .text(name.givenName),
                "family_name": .text(name.familyName), "created_at": .date(time),
            ]
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
            [.date(lastUsedAt), .date(expiresAt), .text(session.rawValue)]
        )
    }
}

extension TokenKey {
    fileprivate var statement: Statement {
        .put(
            into: "token_keys",
            key: "id",
            [
                "id": .text(id), "sealed_key": .text(sealedKey),
                "public_key": .bytes(publicKey), "created_at": .date(createdAt),
                "signs_from": .date(signsFrom), "published_until": .date(publishedUntil),
            ]
        )
    }
}

extension StoredPassword {
    fileprivate var statement: Statement {
        .put(
            into: "passwords",
            key: "account_id",
            [
                "account_id": .text(account.rawValue), "hash": .text(hash),
                "changed_at": .date(changedAt),
            ]
        )
    }
}

extension RefreshToken {
    fileprivate func resealing(of account: AccountID) -> Statement {
        .update(
            "apple_refresh_tokens",
            ["sealed_token": .text(sealedToken)],
            where: account.key(for: clientID)
        )
    }
}

extension OutboxTask {
    fileprivate func replacement(in id: OutboxID) throws(AccountStoreError) -> Statement {
        .update(
            "outbox",
            ["payload": .text(try storedPayload())],
            where: ["id": .text(id.rawValue)]
        )
    }
}
