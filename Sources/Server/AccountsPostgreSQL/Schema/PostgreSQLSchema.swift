import Accounts
import AppleIdentity
import Foundation
import Logging
import Synchronization

/// The migrations of the tables; a released migration never changes.
///
/// CockroachDB and YugabyteDB document the SQL used here and in the statements, but only PostgreSQL is tested. In
/// CockroachDB, advisory locks have no effect; there the unique row of a version keeps two processes apart.
enum PostgreSQLSchema {
    typealias Migration = SQLSchema.Migration

    static let migrations = SQLSchema(.postgreSQL).migrations

    /// The key of the advisory lock: the letters "siwa", a number that nothing else in the database locks.
    private static let lockKey: Int64 = 0x7369_7761

    private static let versions = """
        CREATE TABLE IF NOT EXISTS schema_versions (
            version BIGINT PRIMARY KEY,
            name TEXT NOT NULL,
            applied_at BIGINT NOT NULL
        )
        """

    /// Migrates a database's tables; processes that start at the same time do so one after the other.
    ///
    /// - Parameters:
    ///   - connection: an exclusive connection with a sufficient statement timeout.
    ///   - retries: how long steps that conflict with another process are retried.
    ///   - migrations: the steps.
    ///   - now: the time.
    ///   - logger: logs each step.
    /// - Throws: `AccountStoreError` when a newer version has migrated the tables, or the migration fails.
    static func bringUpToDate(
        _ connection: PostgreSQLConnection,
        retrying retries: Retries,
        by migrations: [Migration] = migrations,
        now: Date,
        logger: Logger
    ) async throws(AccountStoreError) {
        let version = try await version(of: connection, retries, upTo: migrations.count)
        for (index, migration) in migrations.enumerated().dropFirst(version)
        where try await apply(migration, version: index + 1, on: connection, retries, now: now) {
            logger.notice("migrated the tables", metadata: ["step": "\(migration.name)"])
        }
        // A newer version may have migrated the tables meanwhile.
        _ = try await self.version(of: connection, retries, upTo: migrations.count)
    }

    /// Refuses a database without this version's tables, and changes nothing.
    static func requireCurrentTables(
        _ connection: PostgreSQLConnection,
        retrying retries: Retries
    ) async throws(AccountStoreError) {
        let newest = migrations.count
        let version = try await version(of: connection, retries, upTo: newest)
        guard version == newest else { throw version == 0 ? .noTables : .olderTables }
    }

    private static func version(
        of connection: PostgreSQLConnection,
        _ retries: Retries,
        upTo newest: Int
    ) async throws(AccountStoreError) -> Int {
        let query = Statement.command("SELECT coalesce(max(version), 0) FROM schema_versions")
        let version: Int
        switch await exchange([query], on: connection, retries) {
        case .success(let rows): version = try rows[0].first?.count(0) ?? 0
        case .failure(let failure) where failure.state?.isUndefinedTable == true: return 0
        case .failure(let failure): throw AccountStoreError(failure)
        }
        guard version <= newest else { throw .newerTables }
        return version
    }

    /// Applies one step in a transaction, and returns false when another process has applied it.
    private static func apply(
        _ migration: Migration,
        version: Int,
        on connection: PostgreSQLConnection,
        _ retries: Retries,
        now: Date
    ) async throws(AccountStoreError) -> Bool {
        // Each statement must see the changes of the process that had the lock before.
        let opening = [
            .command("BEGIN ISOLATION LEVEL READ COMMITTED"), connection.settings.limits,
            Statement("SELECT pg_advisory_xact_lock($1)", [.integer(lockKey)], isPrepared: false),
            .command(versions),
            Statement(
                "INSERT INTO schema_versions (version, name, applied_at) VALUES ($1, $2, $3)",
                [.count(version), .text(migration.name), .integer(now.microseconds)],
                isPrepared: false
            ),
        ]
        let statements = opening + migration.statements.map { .command($0) } + [.command("COMMIT")]
        switch await exchange(statements, on: connection, retries) {
        case .success: return true
        case .failure(let failure):
            guard failure.state?.isConstraint == true else {
                throw AccountStoreError(committing: failure)
            }
            return false
        }
    }

    /// Sends statements, retries them after conflicts, and leaves no transaction open.
    private static func exchange(
        _ statements: [Statement],
        on connection: PostgreSQLConnection,
        _ retries: Retries
    ) async -> Result<[SQLRows], PostgreSQLFailure> {
        var retries = retries
        while true {
            let result = await connection.exchange(statements, commits: true)
            if connection.state.isInTransaction {
                _ = await connection.exchange([.command("ROLLBACK")])
            }
            guard case .failure(let failure) = result, failure.state?.isConflict == true,
                await retries.mayBeginAgain(after: .conflict)
            else { return result }
        }
    }
}
