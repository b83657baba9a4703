import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Looks up an account.
    package func account(_ id: AccountID) async throws(AccountStoreError) -> Account? {
        try await read { try $0.account(id) }
    }

    /// Changes an account's name.
    package func rename(
        _ account: AccountID,
        to name: AccountName?
    ) async throws(AccountStoreError) -> Account? {
        try await writer.decide { database in
            AccountRules.rename(try database.account(account), to: name)
        }
    }

    /// Deletes an account and queues a revocation for each of its refresh tokens.
    package func deleteAccount(
        _ deletion: AccountDeletion
    ) async throws(AccountStoreError) -> AccountDeletionOutcome {
        try await writer.decide { database in
            let session = try deletion.session.flatMap { try database.session(named: $0) }
            let facts = AccountDeletionFacts(
                account: try database.account(deletion.account),
                session: session.flatMap { $0.expiresAt > deletion.now ? $0 : nil },
                refreshTokens: try database.refreshTokens(of: deletion.account),
                recorded: try database.auditEntry(of: deletion.audit)
            )
            return deletion.decision(given: facts)
        }
    }
}

extension Database {
    func account(_ id: AccountID) throws -> Account? {
        try row(
            "SELECT \(AccountRow.columns) FROM \(AccountRow.tables) WHERE accounts.id = ?",
            [id.rawValue]
        )
        .flatMap { try AccountRow.read($0) }
    }

    func refreshTokens(of account: AccountID) throws -> [RefreshToken] {
        try rows(
            "SELECT \(RefreshTokenRow.columns) FROM apple_refresh_tokens WHERE account_id = ?",
            [account.rawValue]
        )
        .map { RefreshTokenRow.read($0) }
    }
}
