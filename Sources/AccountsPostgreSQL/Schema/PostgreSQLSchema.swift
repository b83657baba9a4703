import Accounts
import AccountsSQL
import AppleIdentity
import Foundation
import Logging
import Synchronization

/// The tables, as they have grown; a migration that has been released is never changed.
///
/// The SQL, here and in the statements, is such as CockroachDB and YugabyteDB document too; only PostgreSQL has been tried.
/// CockroachDB knows the advisory lock by name alone: there the version's own row keeps two programs apart.
enum PostgreSQLSchema {
    /// One step: what it does, and its statements.
    struct Migration: Sendable {
        let name: String
        let statements: [String]
    }

    static let migrations = [
        Migration(
            name: SQLSchema.firstMigration,
            statements: SQLSchema(.postgreSQL).first
        )
    ]

    /// Any number that nothing else in the database locks: the letters of "siwa".
    private static let lockKey: Int64 = 0x7369_7761

    private static let versions = """
        CREATE TABLE IF NOT EXISTS schema_versions (
            version BIGINT PRIMARY KEY,
            name TEXT NOT NULL,
            applied_at BIGINT NOT NULL
        )
        """

    /// Brings a database up to date; programs that start at once do so one after the other.
    ///
    /// - Parameters:
    ///   - connection: a connection that nobody else uses, and that waits for long enough.
    ///   - retries: how long steps begin again that met those of others.
    ///   - migrations: the steps.
    ///   - now: the time.
    ///   - logger: told of each step.
    /// - Throws: `AccountStoreError` when a newer program has changed the tables, or they can't be changed.
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
            logger.notice("the tables were changed", metadata: ["step": "\(migration.name)"])
        }
        // Another program may have gone on meanwhile.
        _ = try await self.version(of: connection, retries, upTo: migrations.count)
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
        guard version <= newest else {
            throw AccountStoreError(
                .failed,
                hint: "a newer program has written the database; run that one, or restore a copy"
            )
        }
        return version
    }

    /// Takes one step, wholly or not at all.
    ///
    /// - Returns: false when another program has taken it.
    private static func apply(
        _ migration: Migration,
        version: Int,
        on connection: PostgreSQLConnection,
        _ retries: Retries,
        now: Date
    ) async throws(AccountStoreError) -> Bool {
        // Each statement has to see what a program has done that had the lock before.
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

    /// Sends statements, again when they met those of another program, and leaves no transaction open.
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
