import Accounts
import AppleIdentity
import Foundation

extension StoreWrite {
    /// What a rule decided about passwords, attempts and links of mails.
    var passwordStatements: [Statement] {
        switch self {
        case .putPassword(let password):
            [
                Statement(
                    """
                    INSERT INTO passwords (account_id, hash, changed_at) VALUES ($1, $2, $3)
                    ON CONFLICT (account_id) DO UPDATE SET
                        hash = excluded.hash, changed_at = excluded.changed_at
                    """,
                    [
                        .text(password.account.rawValue), .text(password.hash),
                        .integer(password.changedAt.microseconds),
                    ]
                )
            ]
        case .putThrottle(let throttle): [throttle.statement]
        case .forgetThrottle(let key):
            [Statement("DELETE FROM throttles WHERE key = $1", [.bytes(key.bytes)])]
        case .putMailToken(let token): [token.statement]
        case .removeMailTokens(let account, let purpose, let start):
            [
                Statement(
                    """
                    DELETE FROM mail_tokens WHERE account_id = $1 AND purpose = $2
                        AND ($3::bigint IS NULL OR expires_at >= $3)
                    """,
                    [
                        .text(account.rawValue), .text(purpose.rawValue),
                        .integer(start?.microseconds),
                    ]
                )
            ]
        default: []
        }
    }

    /// What a rule decided about codes of apps.
    var appCodeStatements: [Statement] {
        switch self {
        case .putAppCode(let code): [code.statement]
        case .removeAppCode(let hash):
            [Statement("DELETE FROM app_codes WHERE hash = $1", [.bytes(hash.bytes)])]
        case .removeAppCodes(let account):
            [
                Statement(
                    "DELETE FROM app_codes WHERE account_id = $1",
                    [.text(account.rawValue)]
                )
            ]
        default: []
        }
    }
}

extension Throttle {
    fileprivate var statement: Statement {
        Statement(
            """
            INSERT INTO throttles (key, attempt_count, blocked_until, expires_at)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (key) DO UPDATE SET
                attempt_count = excluded.attempt_count,
                blocked_until = excluded.blocked_until, expires_at = excluded.expires_at
            """,
            [
                .bytes(key.bytes), .count(attemptCount), .integer(blockedUntil.microseconds),
                .integer(expiresAt.microseconds),
            ]
        )
    }
}

extension MailToken {
    fileprivate var statement: Statement {
        Statement(
            """
            INSERT INTO mail_tokens (hash, account_id, purpose, address, expires_at)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT (hash) DO NOTHING
            """,
            [
                .bytes(hash.bytes), .text(account.rawValue), .text(purpose.rawValue),
                .text(address), .integer(expiresAt.microseconds),
            ]
        )
    }
}

extension AppCode {
    fileprivate var statement: Statement {
        Statement(
            """
            INSERT INTO app_codes (\(AppCodeRow.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (hash) DO NOTHING
            """,
            [
                .bytes(hash.bytes), .text(account.rawValue), .text(session.rawValue),
                .text(binding.clientID.rawValue), .text(binding.redirectURI),
                .text(binding.challenge), .integer(expiresAt.microseconds),
            ]
        )
    }
}
