import Accounts
import GRDB

extension Database {
    /// Carries out what a rule decided about passwords, attempts and links of mails; nothing else comes here.
    func applyToPasswords(_ write: StoreWrite) throws {
        switch write {
        case .putPassword(let password):
            try run(
                """
                INSERT INTO passwords (account_id, hash, changed_at) VALUES (?, ?, ?)
                ON CONFLICT (account_id) DO UPDATE SET
                    hash = excluded.hash, changed_at = excluded.changed_at
                """,
                [
                    password.account.rawValue, password.hash, password.changedAt.microseconds,
                ]
            )
        case .putThrottle(let throttle):
            try run(
                """
                INSERT OR REPLACE INTO throttles (key, attempt_count, blocked_until, expires_at)
                VALUES (?, ?, ?, ?)
                """,
                [
                    throttle.key.bytes, throttle.attemptCount, throttle.blockedUntil.microseconds,
                    throttle.expiresAt.microseconds,
                ]
            )
        case .forgetThrottle(let key):
            try run("DELETE FROM throttles WHERE key = ?", [key.bytes])
        case .putMailToken(let token): try put(token)
        case .removeMailTokens(let account, let purpose, let start):
            try run(
                """
                DELETE FROM mail_tokens WHERE account_id = ?1 AND purpose = ?2
                    AND (?3 IS NULL OR expires_at >= ?3)
                """,
                [account.rawValue, purpose.rawValue, start?.microseconds]
            )
        default: break
        }
    }

    private func put(_ token: MailToken) throws {
        try run(
            """
            INSERT OR IGNORE INTO mail_tokens (hash, account_id, purpose, address, expires_at)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                token.hash.bytes, token.account.rawValue, token.purpose.rawValue, token.address,
                token.expiresAt.microseconds,
            ]
        )
    }
}
