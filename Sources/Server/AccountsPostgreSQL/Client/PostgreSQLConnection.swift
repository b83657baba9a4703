import Accounts
import AppleIdentity
import CPostgreSQL
import Dispatch
import Foundation
import Synchronization

/// One connection to the server, lent to one caller at a time.
///
/// An exchange sends statements together and waits for all results, in one round trip of libpq's pipeline mode. Each
/// connection prepares each statement once, by name in the protocol. PgBouncer's transaction mode supports that since
/// version 1.21, with `max_prepared_statements` above 0.
///
/// Source: [libpq, pipeline mode](https://www.postgresql.org/docs/current/libpq-pipeline-mode.html)
actor PostgreSQLConnection {
    /// How long a connection with an abandoned exchange stays open at most.
    static let maximumAbandonedTime: Duration = .seconds(30)

    /// A separate queue, because libpq blocks while it connects, which the event loop and request threads must not.
    private static let connecting = DispatchQueue(
        label: "accounts.postgresql.connect",
        attributes: .concurrent
    )

    /// The state of a connection, readable on any thread.
    struct State {
        /// Whether the next exchange can begin; false once the connection is lost.
        var isUsable = false
        /// Whether the server may still run an abandoned exchange.
        var isAbandoned = false
        /// Whether the server left an exchange without a commit unanswered; a commit may wait for a standby.
        var isSilent = false
        /// Whether a transaction is open, possibly a failed one.
        var isInTransaction = false
        /// The number of the server among those of the settings.
        var host = 0
    }

    nonisolated let settings: ConnectionSettings
    private let time: TimeSource
    private var handle: ConnectionHandle?
    private var names: [String: String] = [:]
    /// How often each statement was sent for preparation: more than once if an earlier statement failed.
    private var preparationCounts: [String: Int] = [:]
    private var exchange: Exchange?
    private var exchangeCount = 0
    /// The deadline at which a connection with an abandoned exchange is closed.
    private var abandonedDeadline: Deadlines.Name?
    private nonisolated let current = Mutex(State())

    nonisolated var state: State { current.withLock { $0 } }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        SocketLoop.shared.asUnownedSerialExecutor()
    }

    private init(_ settings: ConnectionSettings, time: TimeSource) {
        self.settings = settings
        self.time = time
    }

    /// Connects; a host that does not respond is skipped after the settings' `connect_timeout`.
    static func open(
        _ settings: ConnectionSettings,
        beginningWith host: Int = 0,
        time: TimeSource
    ) async throws(AccountStoreError) -> PostgreSQLConnection {
        let connection = PostgreSQLConnection(settings, time: time)
        try await connection.connect(beginningWith: host)
        return connection
    }

    /// Sends statements and waits for their results; one failure makes the whole exchange fail.
    ///
    /// - Parameters:
    ///   - statements: the statements, which are one transaction unless they contain `BEGIN` or `COMMIT`.
    ///   - commits: whether the statements make changes durable.
    /// - Returns: the results, one per statement.
    func exchange(
        _ statements: [Statement],
        commits: Bool = false
    ) async -> Result<[SQLRows], PostgreSQLFailure> {
        exchangeCount += 1
        let number = exchangeCount
        let deadline = time.deadlines.add(after: settings.statementTimeout, by: time) {
            SocketLoop.shared.perform { [weak self] in
                self?.assumeIsolated { $0.giveUp(exchange: number) }
            }
        }
        defer { time.deadlines.remove(deadline) }
        return await withCheckedContinuation { begin(statements, commits: commits, $0) }
    }

    /// Closes the connection: a running exchange fails, and an abandoned one is cancelled.
    ///
    /// The connection stays open until the cancel request is sent, because a pooler finds its own connection by it.
    func close() {
        guard state.isAbandoned else { return loseClosed() }
        cancel {
            SocketLoop.shared.perform { self.assumeIsolated { $0.loseClosed() } }
        }
    }

    private func loseClosed() {
        lose("the connection was closed")
    }
}

extension PostgreSQLConnection {
    private func connect(beginningWith first: Int) async throws(AccountStoreError) {
        let address = await withCheckedContinuation { continuation in
            Self.connecting.async { [settings] in
                let pointer = settings.connect(beginningWith: first)
                continuation.resume(returning: UInt(bitPattern: pointer))
            }
        }
        guard let pointer = OpaquePointer(bitPattern: address) else {
            throw AccountStoreError(.unavailable, hint: "PostgreSQL: out of memory")
        }
        if let problem = Self.problem(with: pointer) {
            PQfinish(pointer)
            throw AccountStoreError(.unavailable, hint: problem)
        }
        let host = settings.hosts.number(of: pointer) ?? first
        handle = ConnectionHandle(
            pointer,
            onReadable: { [weak self] in self?.assumeIsolated { $0.receive() } },
            onWritable: { [weak self] in self?.assumeIsolated { $0.flush() } }
        )
        current.withLock { $0 = State(isUsable: true, host: host) }
    }

    private static func problem(with pointer: OpaquePointer) -> String? {
        siwa_pq_ignore_notices(pointer)
        guard PQstatus(pointer) == CONNECTION_OK else {
            return "PostgreSQL: \(ConnectionSettings.words(PQerrorMessage(pointer)))"
        }
        let encoding = PQparameterStatus(pointer, "server_encoding").map { String(cString: $0) }
        if let encoding, encoding.uppercased() != "UTF8" {
            return "PostgreSQL: the database's encoding is \(encoding); it must be UTF8"
        }
        guard PQsetnonblocking(pointer, 1) == 0, PQenterPipelineMode(pointer) == 1 else {
            return "PostgreSQL: \(ConnectionSettings.words(PQerrorMessage(pointer)))"
        }
        return nil
    }
}

extension PostgreSQLConnection {
    /// The exchange that is running.
    private struct Exchange {
        /// The source of the next result; libpq returns results in the order in which statements were sent.
        enum Step {
            case preparation(sql: String, name: String)
            case statement
        }

        var steps: [Step] = []
        var position = 0
        var rows: [SQLRows] = []
        var failure: PostgreSQLFailure?
        /// Whether the statements make changes durable.
        let commits: Bool
        /// Nil when the exchange was abandoned.
        var finish: CheckedContinuation<Result<[SQLRows], PostgreSQLFailure>, Never>?

        var step: Step { steps[position] }
    }

    private func begin(
        _ statements: [Statement],
        commits: Bool,
        _ continuation: CheckedContinuation<Result<[SQLRows], PostgreSQLFailure>, Never>
    ) {
        // Input that arrived between exchanges is most likely the end of the connection.
        if let handle, siwa_pq_has_input(handle.pointer) != 0 { receive() }
        guard let handle, exchange == nil else {
            let hint = "PostgreSQL: the connection was lost before the request"
            return continuation.resume(returning: .failure(.init(.notSent, hint: hint)))
        }
        var exchange = Exchange(commits: commits, finish: continuation)
        var isSent = true
        for statement in statements {
            isSent = isSent && send(statement, handle.pointer, &exchange)
        }
        isSent = isSent && PQpipelineSync(handle.pointer) == 1
        self.exchange = exchange
        guard isSent else { return lose("a statement could not be sent") }
        flush()
    }

    private func send(
        _ statement: Statement,
        _ pointer: OpaquePointer,
        _ exchange: inout Exchange
    ) -> Bool {
        let isPrepared = statement.isPrepared && settings.preparesStatements
        return statement.withParameters { values in
            defer { exchange.steps.append(.statement) }
            guard isPrepared else {
                return PQsendQueryParams(
                    pointer,
                    statement.sql,
                    values.count,
                    values.types,
                    values.pointers,
                    values.lengths,
                    values.formats,
                    1
                ) == 1
            }
            guard let name = name(of: statement, values, pointer, &exchange) else { return false }
            return PQsendQueryPrepared(
                pointer,
                name,
                values.count,
                values.pointers,
                values.lengths,
                values.formats,
                1
            ) == 1
        }
    }

    /// Returns the name of a prepared statement, and sends its preparation in the same round trip if needed.
    private func name(
        of statement: Statement,
        _ values: StatementParameters,
        _ pointer: OpaquePointer,
        _ exchange: inout Exchange
    ) -> String? {
        if let name = names[statement.sql] { return name }
        for case .preparation(statement.sql, let name) in exchange.steps { return name }
        let count = preparationCounts[statement.sql, default: 0]
        let name = statement.name(afterPreparations: count)
        guard PQsendPrepare(pointer, name, statement.sql, values.count, values.types) == 1 else {
            return nil
        }
        preparationCounts[statement.sql] = count + 1
        exchange.steps.append(.preparation(sql: statement.sql, name: name))
        return name
    }

    private func flush() {
        guard let handle else { return }
        switch PQflush(handle.pointer) {
        case 0: handle.watchWriting(false)
        case 1: handle.watchWriting(true)
        default: lose(ConnectionSettings.words(PQerrorMessage(handle.pointer)))
        }
    }

    /// Reads all input that has arrived, including the end of the connection.
    private func receive() {
        guard let pointer = handle?.pointer else { return }
        repeat {
            let isAlive = PQconsumeInput(pointer) == 1
            readResults(pointer)
            guard isAlive, PQstatus(pointer) == CONNECTION_OK else {
                return lose(ConnectionSettings.words(PQerrorMessage(pointer)))
            }
        } while siwa_pq_has_input(pointer) != 0
        // The server may have room for the rest of the output now.
        flush()
    }

    private func readResults(_ pointer: OpaquePointer) {
        while exchange != nil, PQisBusy(pointer) == 0 {
            guard let result = PQgetResult(pointer) else {
                // The results of one statement are complete.
                exchange?.position += 1
                continue
            }
            defer { PQclear(result) }
            collect(result)
            if PQstatus(pointer) == CONNECTION_BAD { return }
        }
    }

    private func collect(_ result: OpaquePointer) {
        switch PQresultStatus(result) {
        case PGRES_PIPELINE_SYNC:
            guard let exchange else { return }
            finish(exchange.failure.map { .failure($0) } ?? .success(exchange.rows))
        case PGRES_PIPELINE_ABORTED: break
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            switch exchange?.step {
            case .preparation(let sql, let name): names[sql] = name
            // Appends in place, because a copy of the exchange would copy its rows with each result.
            case .statement: exchange?.rows.append(SQLRows(result))
            case nil: break
            }
        default:
            if let exchange, exchange.failure == nil {
                self.exchange?.failure = PostgreSQLFailure(result)
            }
        }
    }

    private func finish(_ result: Result<[SQLRows], PostgreSQLFailure>) {
        var isSpoilt = false
        if case .failure(let failure) = result {
            isSpoilt = failure.state?.spoilsConnection == true
        }
        let isOpen = handle.map { PQtransactionStatus($0.pointer) != PQTRANS_IDLE } ?? false
        current.withLock { state in
            state.isUsable = state.isUsable && !isSpoilt
            state.isInTransaction = isOpen
        }
        let finished = exchange
        exchange = nil
        finished?.finish?.resume(returning: result)
        // The server has ended the abandoned exchange.
        if state.isAbandoned { lose("the exchange was abandoned") }
    }

    private func lose(_ reason: String) {
        current.withLock { ($0.isUsable, $0.isAbandoned) = (false, false) }
        if let abandonedDeadline { time.deadlines.remove(abandonedDeadline) }
        handle = nil
        guard let exchange else { return }
        // An earlier error of the server explains more than the lost connection.
        finish(.failure(exchange.failure ?? .init(.lost, hint: "PostgreSQL: \(reason)")))
    }
}

extension PostgreSQLConnection {
    /// Fails the caller's exchange, and keeps the connection open until the server has ended the statements.
    ///
    /// This limits how many server processes run abandoned statements. A COMMIT is not cancelled while the connection stays
    /// open: if it waits for a standby, cancelling would make it visible without being replicated.
    ///
    /// Source: [PostgreSQL, synchronous replication](https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION)
    private func giveUp(exchange number: Int) {
        guard let abandoned = exchange, exchangeCount == number, let finish = abandoned.finish
        else { return }
        exchange?.finish = nil
        current.withLock { ($0.isUsable, $0.isAbandoned) = (false, true) }
        if !abandoned.commits {
            current.withLock { $0.isSilent = true }
            cancel()
        }
        abandonedDeadline = time.deadlines.add(after: Self.maximumAbandonedTime, by: time) {
            // A strong reference, because this may be the last one to the connection.
            SocketLoop.shared.perform { self.assumeIsolated { $0.close() } }
        }
        let hint = "PostgreSQL: no response within \(settings.statementTimeout)"
        finish.resume(returning: .failure(.init(.late, hint: hint)))
    }

    /// Sends a cancel request, and calls back on any thread once it is sent.
    private func cancel(_ onceAsked: @escaping @Sendable () -> Void = {}) {
        guard let handle else { return onceAsked() }
        CancelRequest.send(for: handle.pointer, onceAsked)
    }
}
