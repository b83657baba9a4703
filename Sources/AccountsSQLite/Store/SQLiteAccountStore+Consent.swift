import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    static func personHash(_ issuer: String, _ user: UserID) -> SecretHash {
        SecretHash(ofParts: [issuer, user.rawValue])
    }

    /// Whether the person stopped using the app after the identity token was issued.
    ///
    /// Identity tokens count whole seconds: within the same one the token is taken as the later.
    static func hasConsentEnded(
        since attempt: SignInAttempt,
        in database: Database
    ) throws -> Bool {
        let end = try database.row(
            "SELECT 1 FROM apple_events WHERE person_hash = ? AND consent_ended_at >= ? LIMIT 1",
            [
                personHash(attempt.issuer, attempt.user).bytes,
                attempt.issuedAt.seconds.rounded(.down) + 1,
            ]
        )
        return end != nil
    }

    /// Writes down that the person agrees; after an end of consent that ties the account anew.
    static func takeConsent(
        _ completion: SignInCompletion,
        for account: AccountID,
        in database: Database
    ) throws {
        let attempt = completion.attempt
        let revoked = try database.row(
            "SELECT 1 FROM apple_identities WHERE account_id = ? AND revoked_at IS NOT NULL",
            [account.rawValue]
        )
        try database.run(
            """
            UPDATE apple_identities SET client_id = ?1, consented_at = max(consented_at, ?2)
            WHERE account_id = ?3
            """,
            [completion.clientID.rawValue, attempt.issuedAt.seconds, account.rawValue]
        )
        guard revoked != nil else { return }
        try database.run(
            "UPDATE apple_identities SET revoked_at = NULL, linked_at = ? WHERE account_id = ?",
            [attempt.now.seconds, account.rawValue]
        )
        // Apple's page has asked anew whether and where mail is to be forwarded.
        try database.run(
            "UPDATE accounts SET email_is_deliverable = 1, email_event_at = ? WHERE id = ?",
            [attempt.issuedAt.seconds, account.rawValue]
        )
    }
}
