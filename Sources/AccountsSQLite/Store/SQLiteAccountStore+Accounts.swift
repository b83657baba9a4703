import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Changes an account's name.
    public func rename(
        _ account: AccountID,
        to name: String?
    ) async throws(AccountStoreError) -> Account? {
        try await transaction { database in
            try database.run(
                "UPDATE accounts SET name = ? WHERE id = ?",
                [name, account.rawValue]
            )
            return try database.row(
                "SELECT \(AccountRow.columns) FROM \(AccountRow.tables) WHERE accounts.id = ?",
                [account.rawValue]
            )
            .map { AccountRow.read($0) }
        }
    }

    /// Deletes an account and queues a revocation for each of its refresh tokens.
    public func deleteAccount(
        _ deletion: AccountDeletion
    ) async throws(AccountStoreError) -> AccountDeletionOutcome {
        try await connected { database in
            let outcome = try Self.transaction(in: database) {
                try Self.delete(deletion, in: database)
            }
            if case .deleted = outcome {
                Self.wipeLog(of: database)
            }
            return outcome
        }
    }

    private static func delete(
        _ deletion: AccountDeletion,
        in database: Database
    ) throws -> AccountDeletionOutcome {
        let session = try database.row(
            """
            SELECT signed_in_at FROM sessions
            WHERE id = ? AND account_id = ? AND expires_at > ?
            """,
            [deletion.session.rawValue, deletion.account.rawValue, deletion.now.seconds]
        )
        guard let signedInAt: Double = session?[0] else { return .sessionEnded }
        guard signedInAt >= deletion.signedInSince.seconds else { return .signInTooOld }
        let queued = try database.rows(
            """
            INSERT INTO revocations (id, account_id, client_id, sealed_token, created_at,
                next_attempt_at)
            SELECT lower(hex(randomblob(16))), account_id, client_id, sealed_token, ?1, ?1
            FROM apple_refresh_tokens WHERE account_id = ?2
            RETURNING id
            """,
            [deletion.now.seconds, deletion.account.rawValue]
        )
        try remove(deletion.account, in: database)
        return .deleted(revocationCount: queued.count)
    }

    /// Cuts the log, which still has what was deleted until it is written back.
    ///
    /// When a reader in another process prevents that, the next checkpoint does it.
    static func wipeLog(of database: Database) {
        _ = try? database.checkpoint(.truncate)
    }

    /// Identities, refresh tokens and sessions go with the account, by the foreign keys.
    static func remove(_ account: AccountID, in database: Database) throws {
        try database.run(
            """
            DELETE FROM pending_registrations WHERE (issuer, subject) IN
                (SELECT issuer, subject FROM apple_identities WHERE account_id = ?)
            """,
            [account.rawValue]
        )
        try database.run("DELETE FROM accounts WHERE id = ?", [account.rawValue])
    }
}
