import Accounts
import AccountsSQL
import AppleIdentity
import CPostgreSQL
import Dispatch
import Foundation
import Synchronization

/// One connection to the server, lent to one caller at a time.
///
/// An exchange sends statements together and waits for all their answers: one round trip, in libpq's pipeline
/// mode. Each statement is prepared once for each connection, by name in the protocol; PgBouncer in transaction
/// mode follows that from version 1.21 on, with `max_prepared_statements` above 0.
///
/// Source: [libpq, pipeline mode](https://www.postgresql.org/docs/current/libpq-pipeline-mode.html)
actor PostgreSQLConnection {
    /// How long a connection stays on which a caller has given up an answer.
    static let maximumAbandonedTime: Duration = .seconds(30)

    /// libpq may block for a moment while it connects; neither the event loop nor the threads that serve requests must.
    private static let connecting = DispatchQueue(
        label: "accounts.postgresql.connect",
        attributes: .concurrent
    )

    /// What others may know of a connection, on any thread.
    struct State {
        /// Whether the next exchange can begin; false once the connection is lost.
        var isUsable = false
        /// Whether the server may still be at work on what was given up.
        var isAbandoned = false
        /// Whether the server has left something without an answer that waits for nobody else.
        var isSilent = false
        /// Whether a transaction is open, in which nothing more may be done when it has failed.
        var isInTransaction = false
        /// The number of the server among those that the settings name.
        var host = 0
    }

    nonisolated let settings: ConnectionSettings
    private let time: TimeSource
    private var handle: ConnectionHandle?
    private var names: [String: String] = [:]
    /// How often each statement was sent to be prepared: more than once when something before it had failed.
    private var preparationCounts: [String: Int] = [:]
    private var exchange: Exchange?
    private var exchangeCount = 0
    /// When a connection ends on which an answer was given up.
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

    /// Connects; a host that does not answer is given up after the settings' time.
    static func open(
        _ settings: ConnectionSettings,
        beginningWith host: Int = 0,
        time: TimeSource
    ) async throws(AccountStoreError) -> PostgreSQLConnection {
        let connection = PostgreSQLConnection(settings, time: time)
        try await connection.connect(beginningWith: host)
        return connection
    }

    /// Sends statements and waits for their answers; none counts when one of them fails.
    ///
    /// - Parameters:
    ///   - statements: the statements, which are one transaction unless they say otherwise.
    ///   - commits: whether they make changes durable.
    /// - Returns: what each of them gave.
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

    /// Closes the connection; what is in flight fails, and the server is asked to end what was given up.
    ///
    /// The connection stays until that has been asked: a pooler finds by it which of its own is meant.
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
            return "PostgreSQL: the database's encoding is \(encoding); it has to be UTF8"
        }
        guard PQsetnonblocking(pointer, 1) == 0, PQenterPipelineMode(pointer) == 1 else {
            return "PostgreSQL: \(ConnectionSettings.words(PQerrorMessage(pointer)))"
        }
        return nil
    }
}

extension PostgreSQLConnection {
    /// What is in flight.
    private struct Exchange {
        /// What the next result belongs to; libpq gives results in the order of what was sent.
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
        /// Nil when the answer was given up.
        var finish: CheckedContinuation<Result<[SQLRows], PostgreSQLFailure>, Never>?

        var step: Step { steps[position] }
    }

    private func begin(
        _ statements: [Statement],
        commits: Bool,
        _ continuation: CheckedContinuation<Result<[SQLRows], PostgreSQLFailure>, Never>
    ) {
        // What came while nothing was asked is most likely the end.
        if let handle, siwa_pq_has_input(handle.pointer) != 0 { receive() }
        guard let handle, exchange == nil else {
            let hint = "PostgreSQL: the connection was lost before"
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

    /// The name of a prepared statement; what is not prepared yet is, in the same round trip.
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

    /// Reads what has come, all of it, the end that comes with it included.
    private func receive() {
        guard let pointer = handle?.pointer else { return }
        repeat {
            let isAlive = PQconsumeInput(pointer) == 1
            readResults(pointer)
            guard isAlive, PQstatus(pointer) == CONNECTION_OK else {
                return lose(ConnectionSettings.words(PQerrorMessage(pointer)))
            }
        } while siwa_pq_has_input(pointer) != 0
        // What the server does with the input may make room for the rest of the output.
        flush()
    }

    private func readResults(_ pointer: OpaquePointer) {
        while exchange != nil, PQisBusy(pointer) == 0 {
            guard let result = PQgetResult(pointer) else {
                // The answer to one statement is complete.
                exchange?.position += 1
                continue
            }
            defer { PQclear(result) }
            take(result)
            if PQstatus(pointer) == CONNECTION_BAD { return }
        }
    }

    private func take(_ result: OpaquePointer) {
        switch PQresultStatus(result) {
        case PGRES_PIPELINE_SYNC:
            guard let exchange else { return }
            finish(exchange.failure.map { .failure($0) } ?? .success(exchange.rows))
        case PGRES_PIPELINE_ABORTED: break
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            switch exchange?.step {
            case .preparation(let sql, let name): names[sql] = name
            // In place: an exchange that was copied would have its rows copied with each answer.
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
        // The server has ended what was given up.
        if state.isAbandoned { lose("an answer was given up") }
    }

    private func lose(_ reason: String) {
        current.withLock { ($0.isUsable, $0.isAbandoned) = (false, false) }
        if let abandonedDeadline { time.deadlines.remove(abandonedDeadline) }
        handle = nil
        guard let exchange else { return }
        // What the server said before is more than that it is gone.
        finish(.failure(exchange.failure ?? .init(.lost, hint: "PostgreSQL: \(reason)")))
    }
}

extension PostgreSQLConnection {
    /// Answers the caller, and keeps the connection until the server has ended what was asked of it, so that the server's
    /// processes that are at work for nobody stay few.
    ///
    /// A COMMIT is let be for as long as the connection stays: one that waits for another server would, when it is
    /// cancelled, be seen by everybody and be nowhere else.
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
            // Nobody else may have the connection any more.
            SocketLoop.shared.perform { self.assumeIsolated { $0.close() } }
        }
        let hint = "PostgreSQL: no answer within \(settings.statementTimeout)"
        finish.resume(returning: .failure(.init(.late, hint: hint)))
    }

    /// Has the server end what it does, and calls back from any thread when it has been asked.
    private func cancel(_ onceAsked: @escaping @Sendable () -> Void = {}) {
        guard let handle else { return onceAsked() }
        CancelRequest.send(for: handle.pointer, onceAsked)
    }
}
