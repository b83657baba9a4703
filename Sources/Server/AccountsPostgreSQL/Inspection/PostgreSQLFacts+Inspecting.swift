import Accounts
import AppleIdentity
import Foundation
import SignInWithApple

extension PostgreSQLFacts {
    /// Reads the facts from a server.
    ///
    /// - Parameters:
    ///   - settings: the settings of the connection.
    ///   - sealer: the sealing keys, which are tried on every secret; nil for none.
    ///   - time: the clock.
    /// - Throws: `AccountStoreError` when the server cannot be reached or a query fails.
    package init(
        inspecting settings: ConnectionSettings,
        sealer: TokenSealer? = nil,
        time: TimeSource
    ) async throws(AccountStoreError) {
        self.init()
        let connection = try await PostgreSQLConnection.open(settings, time: time)
        let result: Result<Void, AccountStoreError>
        do throws(AccountStoreError) {
            try await ask(connection, time)
            if let sealer, schemaVersion == Self.currentSchemaVersion {
                unopenedSecrets = try await Self.unopenedSecrets(sealer, connection)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await connection.close()
        try result.get()
    }

    private mutating func ask(
        _ connection: PostgreSQLConnection,
        _ time: TimeSource
    ) async throws(AccountStoreError) {
        let askedAt = time.now
        let server = try await Self.row(Self.serverQuestion, connection)
        readServer(try Self.texts(server, count: 8), between: askedAt, and: time.now)
        readAccess(try Self.texts(try await Self.row(Self.accessQuestion, connection), count: 6))
        // Servers before version 15 do not support this query.
        if let row = try? await Self.row(Self.collationQuestion, connection) {
            isCollationOutdated = try row.text(0) == "true"
        }
        guard try await Self.row(Self.tableQuestion, connection).text(0) == "true" else { return }
        let versions = "SELECT coalesce(max(version), 0)::TEXT FROM schema_versions"
        schemaVersion = Int(try await Self.row(versions, connection).text(0))
        guard schemaVersion == Self.currentSchemaVersion else { return }
        let copies = "SELECT count(*)::TEXT FROM store_copies WHERE finished_at IS NULL"
        isUnfinishedCopy = try await Self.row(copies, connection).text(0) != "0"
    }

    private static func unopenedSecrets(
        _ sealer: TokenSealer,
        _ connection: PostgreSQLConnection
    ) async throws(AccountStoreError) -> UnopenedSecrets {
        try await UnopenedSecrets(sealer: sealer) {
            position,
            count throws(AccountStoreError) in
            var query = Query()
            let values = query.sealedValues(after: position, maximumCount: count)
            switch await connection.exchange(query.statements) {
            case .success(let rows): return try values.value(in: Results(rows: rows))
            case .failure(let failure): throw AccountStoreError(failure)
            }
        }
    }

    private mutating func readServer(_ texts: [String], between first: Date, and last: Date) {
        versionNumber = Int(texts[0]) ?? 0
        encoding = texts[1]
        collation = texts[2]
        durability = [
            "fsync": texts[3], "synchronous_commit": texts[4], "full_page_writes": texts[5],
        ]
        isStandby = texts[6] == "true"
        let now = Date(microseconds: Int64(texts[7]) ?? 0)
        // Any time between request and response is correct, so a slow network is not a wrong clock.
        clockDifference = now.timeIntervalSince(min(max(now, first), max(first, last)))
    }

    private mutating func readAccess(_ texts: [String]) {
        tlsVersion = texts[0].isEmpty ? nil : texts[0]
        isLocal = texts[1] == "true"
        connectionsLeft = max(Int(texts[2]) ?? 0, 0)
        schema = texts[3].isEmpty ? nil : texts[3]
        mayCreateTables = texts[4] == "true"
        foreignTables = texts[5].split(separator: ",").map(String.init)
    }

    private static let serverQuestion = """
        SELECT current_setting('server_version_num')::TEXT,
            pg_encoding_to_char(encoding)::TEXT, datcollate::TEXT,
            current_setting('fsync')::TEXT, current_setting('synchronous_commit')::TEXT,
            current_setting('full_page_writes')::TEXT, pg_is_in_recovery()::TEXT,
            (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT::TEXT
        FROM pg_database WHERE datname = current_database()
        """

    /// The remaining connections are the minimum of the server's, the database's and the user's.
    private static let accessQuestion = """
        SELECT coalesce((SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()), '')::TEXT,
            (inet_server_addr() IS NULL OR inet_server_addr() = inet_client_addr())::TEXT,
            least(
                current_setting('max_connections')::BIGINT
                    - current_setting('superuser_reserved_connections')::BIGINT - clients.count,
                nullif(database.datconnlimit, -1) - clients.database_count,
                nullif(role.rolconnlimit, -1) - clients.role_count
            )::TEXT,
            coalesce(current_schema(), '')::TEXT,
            coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)::TEXT,
            coalesce((SELECT string_agg(tablename, ',' ORDER BY tablename) FROM pg_tables
                WHERE schemaname = current_schema()
                    AND NOT pg_has_role(tableowner, 'USAGE')), '')::TEXT
        FROM pg_database AS database, pg_roles AS role, (
            SELECT count(*) AS count,
                count(*) FILTER (WHERE datname = current_database()) AS database_count,
                count(*) FILTER (WHERE usename = current_user) AS role_count
            FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
        ) AS clients
        WHERE database.datname = current_database() AND role.rolname = current_user
        """

    private static let collationQuestion = """
        SELECT coalesce(datcollversion <> pg_database_collation_actual_version(oid), false)::TEXT
        FROM pg_database WHERE datname = current_database()
        """

    private static let tableQuestion =
        "SELECT (to_regclass('schema_versions') IS NOT NULL)::TEXT"

    private static func row(
        _ sql: String,
        _ connection: PostgreSQLConnection
    ) async throws(AccountStoreError) -> SQLRow {
        switch await connection.exchange([.command(sql)]) {
        case .success(let rows):
            guard let row = rows[0].first else {
                throw AccountStoreError(.failed, hint: "a query returned no row")
            }
            return row
        case .failure(let failure): throw AccountStoreError(failure)
        }
    }

    private static func texts(_ row: SQLRow, count: Int) throws(AccountStoreError) -> [String] {
        var texts: [String] = []
        for column in 0..<count { texts.append(try row.text(column)) }
        return texts
    }
}
