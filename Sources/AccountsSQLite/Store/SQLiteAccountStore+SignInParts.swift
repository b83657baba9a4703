import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Gives the account the name that came now or earlier, unless the person has chosen one.
    static func takeName(
        of attempt: SignInAttempt,
        for account: AccountID,
        in database: Database
    ) throws {
        let pending = try database.row(
            "SELECT name FROM pending_registrations WHERE issuer = ? AND subject = ?",
            [attempt.issuer, attempt.user.rawValue]
        )
        let pendingName: String? = pending?[0]
        if let name = attempt.name ?? pendingName {
            try database.run(
                "UPDATE accounts SET name = ? WHERE id = ? AND name IS NULL",
                [name, account.rawValue]
            )
        }
        try database.run(
            "DELETE FROM pending_registrations WHERE issuer = ? AND subject = ?",
            [attempt.issuer, attempt.user.rawValue]
        )
    }

    /// Follows a changed address; whether mail arrives at the new one is not known to be in doubt.
    static func takeEmail(
        _ email: EmailAddress?,
        for account: AccountID,
        in database: Database
    ) throws {
        guard let email else { return }
        try database.run(
            """
            UPDATE accounts SET
                email_is_deliverable = CASE WHEN email IS ?1 THEN email_is_deliverable ELSE 1 END,
                email = ?1, email_is_verified = ?2, email_is_private_relay = ?3
            WHERE id = ?4
            """,
            [email.text, email.isVerified, email.isPrivateRelay, account.rawValue]
        )
    }

    /// Keeps one refresh token for each client: revoking the latest ends what the earlier ones gave.
    static func takeRefreshToken(
        _ completion: SignInCompletion,
        for account: AccountID,
        in database: Database
    ) throws {
        guard let seal = completion.sealRefreshToken else { return }
        try database.run(
            """
            INSERT INTO apple_refresh_tokens (account_id, client_id, sealed_token, received_at)
            VALUES (?, ?, ?, ?)
            ON CONFLICT (account_id, client_id) DO UPDATE SET
                sealed_token = excluded.sealed_token, received_at = excluded.received_at
            """,
            [
                account.rawValue, completion.clientID.rawValue, try seal(account),
                completion.attempt.now.seconds,
            ]
        )
    }

    /// Uses the identity token and the nonce up.
    static func consume(_ completion: SignInCompletion, in database: Database) throws {
        let attempt = completion.attempt
        try database.run(
            "INSERT INTO used_identity_tokens (token_hash, expires_at) VALUES (?, ?)",
            [attempt.tokenHash.bytes, completion.tokenExpiresAt.seconds]
        )
        if let nonce = attempt.nonce {
            try use(nonce, now: attempt.now, in: database)
        }
    }

    /// Makes the session, ends the one this client had, and makes room when there are too many.
    static func makeSession(
        _ completion: SignInCompletion,
        for account: AccountID,
        in database: Database
    ) throws {
        if let previous = completion.previousTokenHash {
            try database.run("DELETE FROM sessions WHERE token_hash = ?", [previous.bytes])
        }
        try database.run(
            """
            DELETE FROM sessions WHERE token_hash IN (
                SELECT token_hash FROM sessions WHERE account_id = ?
                ORDER BY last_used_at DESC, created_at DESC LIMIT -1 OFFSET ?
            )
            """,
            [account.rawValue, max(completion.maximumSessionCount - 1, 0)]
        )
        let session = completion.session
        try database.run(
            """
            INSERT INTO sessions (token_hash, id, account_id, device, created_at, signed_in_at,
                last_used_at, expires_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5, ?6)
            """,
            [
                session.tokenHash.bytes, session.id.rawValue, account.rawValue, session.device,
                completion.attempt.now.seconds, session.expiresAt.seconds,
            ]
        )
    }
}
