import Accounts
import AppleIdentity
import Foundation

extension [StoreWrite] {
    /// The statements that carry out what a rule decided, in its order.
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
        case .removeAccount(let id):
            // Identity, refresh tokens and sessions go along, by the foreign keys.
            [.delete(from: "accounts", where: ["id": .text(id.rawValue)])]
        case .insertSession, .removeSession, .removeSessions, .recordUse: sessionStatements
        case .putPassword, .putThrottle, .forgetThrottle, .putMailToken, .removeMailTokens:
            passwordStatements
        case .putAppCode, .removeAppCode, .removeAppCodes: appCodeStatements
        case .putRefreshToken, .replaceSealedToken, .removeRefreshToken, .removeRefreshTokens:
            refreshTokenStatements
        case .putTransfer(let transfer): [transfer.statement]
        case .removeTransfer(let account):
            [.delete(from: "apple_transfers", where: ["account_id": .text(account.rawValue)])]
        case .keepName, .forgetName, .useOnce, .rememberEvent: signInStatements
        case .enqueue, .replaceTask, .removeEntries, .removeMail: try outboxStatements()
        case .recordAudit(let entry): [entry.statement]
        case .forgetAudit(let ids):
            ids.map { .delete(from: "audit_entries", where: ["id": .text($0.rawValue)]) }
        }
    }

    private var sessionStatements: [Statement] {
        switch self {
        case .insertSession(let session, let hash): [session.insertion(hash)]
        case .removeSession(let id):
            [.delete(from: "sessions", where: ["id": .text(id.rawValue)])]
        case .removeSessions(let account, let session, let method):
            [
                Statement(
                    """
                    DELETE FROM sessions WHERE account_id = $1 AND id IS DISTINCT FROM $2
                        AND (CAST($3 AS TEXT) IS NULL OR sign_in_method = $3)
                    """,
                    [.text(account.rawValue), .text(session?.rawValue), .text(method?.rawValue)]
                )
            ]
        case .recordUse(let use):
            [
                Statement(
                    """
                    UPDATE sessions SET last_used_at = $1, expires_at = $2
                    WHERE id = $3 AND last_used_at < $1
                    """,
                    [.date(use.lastUsedAt), .date(use.expiresAt), .text(use.session.rawValue)]
                )
            ]
        default: []
        }
    }

    private var passwordStatements: [Statement] {
        switch self {
        case .putPassword(let password):
            [
                .put(
                    into: "passwords",
                    key: "account_id",
                    [
                        "account_id": .text(password.account.rawValue),
                        "hash": .text(password.hash), "changed_at": .date(password.changedAt),
                    ]
                )
            ]
        case .putThrottle(let throttle): [throttle.statement]
        case .forgetThrottle(let key):
            [.delete(from: "throttles", where: ["key": .bytes(key.bytes)])]
        case .putMailToken(let token): [token.statement]
        case .removeMailTokens(let account, let purpose, let start):
            [
                Statement(
                    """
                    DELETE FROM mail_tokens WHERE account_id = $1 AND purpose = $2
                        AND (CAST($3 AS BIGINT) IS NULL OR expires_at >= $3)
                    """,
                    [.text(account.rawValue), .text(purpose.rawValue), .date(start)]
                )
            ]
        default: []
        }
    }

    private var appCodeStatements: [Statement] {
        switch self {
        case .putAppCode(let code): [code.statement]
        case .removeAppCode(let hash):
            [.delete(from: "app_codes", where: ["hash": .bytes(hash.bytes)])]
        case .removeAppCodes(let account):
            [.delete(from: "app_codes", where: ["account_id": .text(account.rawValue)])]
        default: []
        }
    }

    private var refreshTokenStatements: [Statement] {
        switch self {
        case .putRefreshToken(let token, let account): [token.statement(of: account)]
        case .replaceSealedToken(let token, let account):
            [
                .update(
                    "apple_refresh_tokens",
                    ["sealed_token": .text(token.sealedToken)],
                    where: [
                        "account_id": .text(account.rawValue),
                        "client_id": .text(token.clientID.rawValue),
                    ]
                )
            ]
        case .removeRefreshToken(let account, let client):
            [
                .delete(
                    from: "apple_refresh_tokens",
                    where: [
                        "account_id": .text(account.rawValue), "client_id": .text(client.rawValue),
                    ]
                )
            ]
        case .removeRefreshTokens(let account):
            [.delete(from: "apple_refresh_tokens", where: ["account_id": .text(account.rawValue)])]
        default: []
        }
    }

    private var signInStatements: [Statement] {
        switch self {
        case .keepName(let name, let person, let time):
            [
                .put(
                    into: "pending_names",
                    key: "issuer, subject",
                    [
                        "issuer": .text(person.issuer), "subject": .text(person.user.rawValue),
                        "name": .text(name.text), "given_name": .text(name.givenName),
                        "family_name": .text(name.familyName), "created_at": .date(time),
                    ]
                )
            ]
        case .forgetName(let person):
            [
                .delete(
                    from: "pending_names",
                    where: [
                        "issuer": .text(person.issuer), "subject": .text(person.user.rawValue),
                    ]
                )
            ]
        case .useOnce(let hash, let end):
            [
                .insert(
                    into: "used_once",
                    ["hash": .bytes(hash.bytes), "remembered_until": .date(end)]
                )
            ]
        case .rememberEvent(let event): event.statements
        default: []
        }
    }

    private func outboxStatements() throws(AccountStoreError) -> [Statement] {
        switch self {
        case .enqueue(let entry): [try entry.insertion()]
        case .replaceTask(let id, let task):
            [
                .update(
                    "outbox",
                    ["payload": .text(try task.storedPayload())],
                    where: ["id": .text(id.rawValue)]
                )
            ]
        case .removeEntries(let ids):
            ids.map { .delete(from: "outbox", where: ["id": .text($0.rawValue)]) }
        case .removeMail(let account):
            [
                .delete(
                    from: "outbox",
                    where: [
                        "person_hash": .bytes(account.mailHash.bytes),
                        "kind": .text(OutboxTask.Kind.mail.rawValue),
                    ]
                )
            ]
        default: []
        }
    }
}
