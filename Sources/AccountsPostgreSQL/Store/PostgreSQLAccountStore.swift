import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import Logging

/// Accounts in a PostgreSQL database, which any number of processes share.
///
/// Nothing is kept in memory: another process may have ended a session a moment ago.
package struct PostgreSQLAccountStore: AccountStore {
    /// How long a start waits for tables to be changed, by this program or by another one.
    private static let migrationTimeout: Duration = .seconds(300)

    let database: PostgreSQLDatabase
    let sessionReads: KeyedReads
    let signIns: SignInBatches

    /// Each session refers to its account, which a serializable transaction looks up: were all new accounts in one page, each
    /// sign-in would be in every other one's way.
    package var identifierOrder: IdentifierOrder { .random }

    /// The connections, for tests and metrics.
    var pool: ConnectionPool { database.pool }

    /// How busy the connections are.
    package var load: StoreLoad {
        .pool(
            pool.load(
                waitingReadCount: sessionReads.waitingCount,
                waitingSignInCount: signIns.waitingCount
            )
        )
    }

    /// Connects, and brings the tables up to date.
    ///
    /// - Parameters:
    ///   - settings: how the servers are reached.
    ///   - metrics: where the waits for connections are measured.
    ///   - logger: told of changed tables, when the database can't be reached, and of the audit log's entries at level
    ///     `info`.
    /// - Throws: `AccountStoreError` when no server can be reached and written to, or a newer program has changed
    ///   the tables.
    package init(
        _ settings: ConnectionSettings,
        metrics: any MetricsFactory = MetricsSystem.factory,
        logger: Logger = Logger(label: "siwa.database")
    ) async throws(AccountStoreError) {
        try await self.init(settings, time: .live, metrics: metrics, logger: logger)
    }

    package init(
        _ settings: ConnectionSettings,
        isForCopying: Bool = false,
        time: TimeSource,
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
        database = PostgreSQLDatabase(
            pool: pool,
            settings: settings,
            time: time,
            randomUnit: randomUnit,
            logger: logger
        )
        signIns = SignInBatches(database: database, time: time)
        sessionReads = KeyedReads(SessionRow.signedInByTokenHashes, pool: pool)
    }

    /// Closes the connections; the store can't be used afterwards.
    package func close() {
        pool.close()
    }

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
