import Accounts
// Its users see what the store does.
@_exported import AccountsSQL
import AppleIdentity
import CoreMetrics
import Foundation
import Logging

/// Accounts in a PostgreSQL database, which any number of processes share.
///
/// Nothing is kept in memory: another process may have ended a session a moment ago.
package struct PostgreSQLAccountStore: SQLAccountStore {
    /// How long a start waits for tables to be changed, by this program or by another one.
    private static let migrationTimeout: Duration = .seconds(300)

    package let database: PostgreSQLDatabase
    private let sessions: SessionLoader

    /// Each session refers to its account, which a serializable transaction looks up: were all new accounts in one page, each
    /// sign-in would be in every other one's way.
    package var identifierOrder: IdentifierOrder { .random }

    /// The connections, for tests and metrics.
    var pool: ConnectionPool { database.pool }

    /// How busy the connections are.
    package var load: StoreLoad { .pool(pool.load(waitingReadCount: sessions.waitingCount)) }

    /// Connects, and brings the tables up to date.
    ///
    /// - Parameters:
    ///   - settings: how the servers are reached.
    ///   - isForCopying: whether an unfinished copy may be opened.
    ///   - time: the clock.
    ///   - randomUnit: tells how much of a pause is taken.
    ///   - metrics: where the waits for connections are measured.
    ///   - logger: told of changed tables, when the database can't be reached, and of the audit log's entries at level
    ///     `info`.
    /// - Throws: `AccountStoreError` when no server can be reached and written to, or a newer program has changed
    ///   the tables.
    package init(
        _ settings: ConnectionSettings,
        isForCopying: Bool = false,
        time: TimeSource = .live,
        randomUnit: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        metrics: any MetricsFactory = MetricsSystem.factory,
        logger: Logger = Logger(label: "siwa.database")
    ) async throws(AccountStoreError) {
        if let warning = settings.warning { logger.warning("\(warning)") }
        try await Self.prepare(
            settings,
            isForCopying: isForCopying,
            time: time,
            randomUnit: randomUnit,
            logger: logger
        )
        let pool = ConnectionPool(
            settings,
            time: time,
            randomUnit: randomUnit,
            logger: logger,
            metrics: metrics
        )
        database = PostgreSQLDatabase(pool: pool, logger: logger)
        sessions = SessionLoader(pool: pool)
    }

    /// Closes the connections; the store can't be used afterwards.
    package func close() {
        pool.close()
    }

    /// Looks a session up, together with those that are asked for at the same time.
    package func session(
        tokenHash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> SignedInSession? {
        let found = try await sessions.session(tokenHash: tokenHash)
        return found.flatMap { $0.session.expiresAt > now ? $0 : nil }
    }

    /// Does nothing: deleted rows and the log are the server's, whose vacuum and checkpoints remove them.
    package func wipeTraces() async throws(AccountStoreError) {}

    /// Lets servers open the database.
    ///
    /// Without statistics, the planner takes large tables for small ones and scans them. Empty tables are left out: with
    /// statistics that say so, they would be scanned once they have grown.
    package func finishCopy(now: Date) async throws(AccountStoreError) {
        let state = try await copyState()
        for table in StoreTable.all where state?.tables[table.name] != nil {
            // The copy is complete without them, and the database gathers them by itself later.
            _ = try? await database.run([.command("ANALYZE \(table.name)")]) { _ in [] }
        }
        try await openCopy(now: now)
    }

    /// How many other connections programs of this project have to the database.
    ///
    /// - Returns: how many there are, as far as this user may see them.
    /// - Throws: `AccountStoreError`.
    package func otherConnectionCount() async throws(AccountStoreError) -> Int {
        let rows = try await database.run(
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

extension PostgreSQLAccountStore {
    private static func prepare(
        _ settings: ConnectionSettings,
        isForCopying: Bool,
        time: TimeSource,
        randomUnit: @escaping @Sendable () -> Double,
        logger: Logger
    ) async throws(AccountStoreError) {
        var patient = settings
        patient.statementTimeout = migrationTimeout
        let connection = try await PostgreSQLConnection.open(patient, time: time)
        let result: Result<Void, AccountStoreError>
        do throws(AccountStoreError) {
            try await PostgreSQLSchema.bringUpToDate(
                connection,
                retrying: Retries(within: migrationTimeout, time: time, randomUnit: randomUnit),
                now: time.now,
                logger: logger
            )
            if !isForCopying { try await refuseUnfinishedCopy(connection) }
            await warnOfLosses(connection, logger: logger)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await connection.close()
        try result.get()
    }

    /// Refuses a database that is half of another one.
    private static func refuseUnfinishedCopy(
        _ connection: PostgreSQLConnection
    ) async throws(AccountStoreError) {
        let question = "SELECT count(*) FROM store_copies WHERE finished_at IS NULL"
        switch await connection.exchange([.command(question)]) {
        case .success(let rows):
            guard try rows[0].first?.count(0) == 0 else {
                throw AccountStoreError(.failed, hint: CopyState.unfinishedHint)
            }
        case .failure(let failure): throw AccountStoreError(failure)
        }
    }

    /// What was acknowledged has to survive a power cut, and only the server's settings can see to that.
    private static func warnOfLosses(
        _ connection: PostgreSQLConnection,
        logger: Logger
    ) async {
        let settings =
            "SELECT current_setting('fsync', true), current_setting('synchronous_commit', true)"
        // Other databases that speak the protocol may not know them.
        guard let row = try? await connection.exchange([.command(settings)]).get()[0].first,
            let values = try? [row.optionalText(0), row.optionalText(1)], values.contains("off")
        else { return }
        logger.warning(
            "the database's server may lose what it has acknowledged: fsync or synchronous_commit is off"
        )
    }
}
