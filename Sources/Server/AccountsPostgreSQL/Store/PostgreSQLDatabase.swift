import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import Logging

/// A PostgreSQL database, which any number of processes share.
///
/// It caches nothing, because another process may have ended a session a moment ago. A transaction takes two round
/// trips: `BEGIN` with all reads, then all writes with `COMMIT`. It is serializable, so the facts of its decision do not
/// change meanwhile. A transaction that conflicts with another one is retried.
///
/// Source: [PostgreSQL, serializable isolation](https://www.postgresql.org/docs/current/transaction-iso.html#XACT-SERIALIZABLE)
package struct PostgreSQLDatabase: SQLDatabase {
    /// How long a start waits for the tables to be migrated, by this process or another one.
    private static let migrationTimeout: Duration = .seconds(300)

    let pool: ConnectionPool
    let logger: Logger
    private let sessions: SessionLoader

    package var dialect: SQLDialect { .postgreSQL }

    /// Random, because a serializable transaction looks up a session's account: if all new accounts shared one page, their
    /// sign-ins would conflict.
    package var identifierOrder: IdentifierOrder { .random }

    /// The current use of the connections.
    package var load: StoreLoad { .pool(pool.load(waitingReadCount: sessions.waitingCount)) }

    /// Connects, and migrates the tables unless it must not.
    ///
    /// - Parameters:
    ///   - settings: the settings of the connections.
    ///   - isForCopying: whether an unfinished copy may be opened.
    ///   - migrates: whether missing tables are created and older ones migrated; otherwise such a database is refused and
    ///     stays as it is.
    ///   - time: the clock.
    ///   - randomUnit: returns a number from 0 to 1 that randomizes the pauses between retries.
    ///   - metrics: records how long calls wait for a connection.
    ///   - logger: logs migrations, lost connections, and audit log entries at level `info`.
    /// - Throws: `AccountStoreError` when no writable server can be reached, a newer version has migrated the tables, or
    ///   they would have to be migrated.
    package init(
        _ settings: ConnectionSettings,
        isForCopying: Bool = false,
        migrates: Bool = true,
        time: TimeSource = .live,
        randomUnit: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        metrics: any MetricsFactory = MetricsSystem.factory,
        logger: Logger = Logger(label: "siwa.database")
    ) async throws(AccountStoreError) {
        if let warning = settings.warning { logger.warning("\(warning)") }
        try await Self.prepare(
            settings,
            isForCopying: isForCopying,
            migrates: migrates,
            time: time,
            randomUnit: randomUnit,
            logger: logger
        )
        pool = ConnectionPool(
            settings,
            time: time,
            randomUnit: randomUnit,
            logger: logger,
            metrics: metrics
        )
        self.logger = logger
        sessions = SessionLoader(pool: pool)
    }

    package func close() {
        pool.close()
    }

    /// Reads a session; simultaneous lookups share a statement.
    package func storedSession(
        tokenHash: SecretHash
    ) async throws(AccountStoreError) -> SignedInSession? {
        try await sessions.storedSession(tokenHash: tokenHash)
    }

    /// Does nothing, because the server's vacuum and checkpoints remove deleted rows and the log.
    package func wipeTraces() async throws(AccountStoreError) {}

    /// Throws, because a database server has its own backup tools.
    package func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport {
        throw AccountStoreError(.failed, hint: "back up this database with PostgreSQL's own tools")
    }

    /// Without statistics, the planner treats large tables as small ones and scans them.
    package func updateStatistics(of tables: [String]) async {
        for table in tables {
            // The database collects them later itself, too.
            _ = try? await run([.command("ANALYZE \(table)")]) { _ in [] }
        }
    }

    /// Returns how many other connections with the same application name the database has, as far as the database user
    /// can see them.
    package func otherConnectionCount() async throws(AccountStoreError) -> Int {
        let rows = try await run(
            """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                AND application_name = current_setting('application_name')
                AND pid <> pg_backend_pid()
            """,
            []
        )
        return try rows.first?.count(0) ?? 0
    }
}

extension PostgreSQLDatabase {
    private static func prepare(
        _ settings: ConnectionSettings,
        isForCopying: Bool,
        migrates: Bool,
        time: TimeSource,
        randomUnit: @escaping @Sendable () -> Double,
        logger: Logger
    ) async throws(AccountStoreError) {
        var patient = settings
        patient.statementTimeout = migrationTimeout
        let connection = try await PostgreSQLConnection.open(patient, time: time)
        let result: Result<Void, AccountStoreError>
        do throws(AccountStoreError) {
            let retries = Retries(within: migrationTimeout, time: time, randomUnit: randomUnit)
            if migrates {
                try await PostgreSQLSchema.bringUpToDate(
                    connection,
                    retrying: retries,
                    now: time.now,
                    logger: logger
                )
            } else {
                try await PostgreSQLSchema.requireCurrentTables(connection, retrying: retries)
            }
            if !isForCopying { try await refuseUnfinishedCopy(connection) }
            await warnOfLosses(connection, logger: logger)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await connection.close()
        try result.get()
    }

    /// Refuses a database that is an unfinished copy of another one.
    private static func refuseUnfinishedCopy(
        _ connection: PostgreSQLConnection
    ) async throws(AccountStoreError) {
        let query = "SELECT count(*) FROM store_copies WHERE finished_at IS NULL"
        switch await connection.exchange([.command(query)]) {
        case .success(let rows):
            guard try rows[0].first?.count(0) == 0 else {
                throw AccountStoreError(.failed, hint: CopyState.unfinishedHint)
            }
        case .failure(let failure): throw AccountStoreError(failure)
        }
    }

    /// Warns when the server's settings do not make acknowledged changes survive a power cut.
    private static func warnOfLosses(
        _ connection: PostgreSQLConnection,
        logger: Logger
    ) async {
        let settings =
            "SELECT current_setting('fsync', true), current_setting('synchronous_commit', true)"
        // Other databases with PostgreSQL's protocol may not have these settings.
        guard let row = try? await connection.exchange([.command(settings)]).get()[0].first,
            let values = try? [row.optionalText(0), row.optionalText(1)], values.contains("off")
        else { return }
        logger.warning(
            "the database server may lose acknowledged changes: fsync or synchronous_commit is off"
        )
    }
}
