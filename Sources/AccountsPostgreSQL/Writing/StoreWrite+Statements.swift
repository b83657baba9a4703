import Accounts
import AppleIdentity
import Foundation

extension [StoreWrite] {
    /// The statements that carry out what a rule decided, in its order.
    func statements() throws(AccountStoreError) -> [Statement] {
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
            [Statement("DELETE FROM accounts WHERE id = $1", [.text(id.rawValue)])]
        case .putPassword, .putThrottle, .forgetThrottle, .putMailToken, .removeMailTokens:
            passwordStatements
        case .putAppCode, .removeAppCode, .removeAppCodes: appCodeStatements
        case .insertSession, .removeSession, .removeSessions, .recordUse: sessionStatements
        case .putRefreshToken, .replaceSealedToken, .removeRefreshToken, .removeRefreshTokens:
            refreshTokenStatements
        case .putTransfer(let transfer): [transfer.insertion]
        case .removeTransfer(let account):
            [
                Statement(
                    "DELETE FROM apple_transfers WHERE account_id = $1",
                    [.text(account.rawValue)]
                )
            ]
        case .keepName, .forgetName, .useOnce, .rememberEvent: signInStatements
        case .enqueue, .replaceTask, .removeEntries, .removeMail: try outboxStatements()
        case .recordAudit, .forgetAudit: auditStatements
        }
    }

    private var sessionStatements: [Statement] {
        switch self {
        case .insertSession(let session, let hash): [session.insertion(hash)]
        case .removeSession(let id):
            [Statement("DELETE FROM sessions WHERE id = $1", [.text(id.rawValue)])]
        case .removeSessions(let account, let session, let method):
            [
                Statement(
                    """
                    DELETE FROM sessions WHERE account_id = $1 AND id IS DISTINCT FROM $2
                        AND ($3::text IS NULL OR sign_in_method = $3)
                    """,
                    [.text(account.rawValue), .text(session?.rawValue), .text(method?.rawValue)]
                )
            ]
        case .recordUse(let use): [use.statement]
        default: []
        }
    }

    private var refreshTokenStatements: [Statement] {
        switch self {
        case .putRefreshToken(let token, let account): [token.insertion(of: account)]
        case .replaceSealedToken(let token, let account):
            [
                Statement(
                    """
                    UPDATE apple_refresh_tokens SET sealed_token = $1
                    WHERE account_id = $2 AND client_id = $3
                    """,
                    [
                        .text(token.sealedToken), .text(account.rawValue),
                        .text(token.clientID.rawValue),
                    ]
                )
            ]
        case .removeRefreshToken(let account, let client):
            [
                Statement(
                    "DELETE FROM apple_refresh_tokens WHERE account_id = $1 AND client_id = $2",
                    [.text(account.rawValue), .text(client.rawValue)]
                )
            ]
        case .removeRefreshTokens(let account):
            [
                Statement(
                    "DELETE FROM apple_refresh_tokens WHERE account_id = $1",
                    [.text(account.rawValue)]
                )
            ]
        default: []
        }
    }

    private var signInStatements: [Statement] {
        switch self {
        case .keepName(let name, let person, let time):
            [
                Statement(
                    """
                    INSERT INTO pending_names (issuer, subject, name, given_name, family_name,
                        created_at)
                    VALUES ($1, $2, $3, $4, $5, $6)
                    ON CONFLICT (issuer, subject) DO UPDATE SET
                        name = excluded.name, given_name = excluded.given_name,
                        family_name = excluded.family_name, created_at = excluded.created_at
                    """,
                    [
                        .text(person.issuer), .text(person.user.rawValue), .text(name.text),
                        .text(name.givenName), .text(name.familyName), .integer(time.microseconds),
                    ]
                )
            ]
        case .forgetName(let person):
            [
                Statement(
                    "DELETE FROM pending_names WHERE issuer = $1 AND subject = $2",
                    [.text(person.issuer), .text(person.user.rawValue)]
                )
            ]
        case .useOnce(let hash, let end): [hash.use(until: end)]
        case .rememberEvent(let event): event.statements
        default: []
        }
    }

    private func outboxStatements() throws(AccountStoreError) -> [Statement] {
        switch self {
        case .enqueue(let entry): return [try entry.insertion()]
        case .replaceTask(let id, let task):
            return [
                Statement(
                    "UPDATE outbox SET payload = $1 WHERE id = $2",
                    [.text(try task.storedPayload()), .text(id.rawValue)]
                )
            ]
        case .removeEntries(let ids):
            return ids.map {
                Statement("DELETE FROM outbox WHERE id = $1", [.text($0.rawValue)])
            }
        case .removeMail(let account):
            return [
                Statement(
                    "DELETE FROM outbox WHERE person_hash = $1 AND kind = $2",
                    [.bytes(account.mailHash.bytes), .text(OutboxTask.Kind.mail.rawValue)]
                )
            ]
        default: return []
        }
    }
}
