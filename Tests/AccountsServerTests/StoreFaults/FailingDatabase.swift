import Accounts
import Synchronization

/// A database that fails at a given call, and records all calls; a real database does the work.
///
/// It remembers no session, like a database that several processes share: each one is looked up.
final class FailingDatabase: SQLDatabase {
    /// A call that fails on its own.
    enum Call: String, Hashable, Sendable {
        case read, decide, run, session, wipeTraces, backUp

        /// The possible failures of a call; where nothing is committed, no response to a commit can be lost.
        var faults: [StoreFault.Kind] {
            switch self {
            case .read, .session, .backUp: [.unavailable]
            case .decide, .run, .wipeTraces: StoreFault.Kind.allCases
            }
        }
    }

    private struct State {
        var calls: [Call] = []
        var fault: StoreFault?
        var hasStruck = false
        var isGone = false
    }

    private let database: any SQLDatabase
    private let state = Mutex(State())

    init(_ database: any SQLDatabase) {
        self.database = database
    }

    /// Records calls from here on; one of them fails.
    func watch(_ fault: StoreFault?) {
        state.withLock { $0 = State(fault: fault) }
    }

    /// Lets all calls succeed again.
    ///
    /// - Returns: the recorded calls, and whether one has failed.
    func mend() -> (calls: [Call], hasStruck: Bool) {
        state.withLock { state in
            defer { state = State() }
            return (state.calls, state.hasStruck)
        }
    }

    /// Makes a call, unless it must fail.
    private func call<Answer>(
        _ call: Call,
        _ work: @autoclosure () async throws(AccountStoreError) -> Answer
    ) async throws(AccountStoreError) -> Answer {
        switch fault(at: call) {
        case nil: return try await work()
        case .unavailable: throw AccountStoreError(.unavailable, hint: "set to be unavailable")
        case .undoneUnknown: throw Self.answerLost
        case .doneUnknown, .doneAndGone:
            _ = try await work()
            throw Self.answerLost
        }
    }

    private static let answerLost = AccountStoreError(
        .outcomeUnknown,
        hint: "set to lose its response"
    )

    private func fault(at call: Call) -> StoreFault.Kind? {
        state.withLock { state in
            state.calls.append(call)
            if state.isGone { return .unavailable }
            guard let fault = state.fault, fault.call == call, !state.hasStruck,
                fault.number == state.calls.count(where: { $0 == call })
            else { return nil }
            state.hasStruck = true
            state.isGone = fault.kind == .doneAndGone
            return fault.kind
        }
    }
}

extension FailingDatabase {
    var dialect: SQLDialect { database.dialect }
    var identifierOrder: IdentifierOrder { database.identifierOrder }
    var load: StoreLoad { database.load }

    func read<Value: Sendable>(
        _ query: Query,
        _ value: QueryResult<Value>
    ) async throws(AccountStoreError) -> Value {
        try await call(.read, try await database.read(query, value))
    }

    func decide<Answer: Sendable>(
        _ query: Query,
        _ decision: QueryResult<Decision<Answer>>
    ) async throws(AccountStoreError) -> Answer {
        try await call(.decide, try await database.decide(query, decision))
    }

    func run(
        _ statements: [Statement],
        changing writes: @escaping @Sendable ([SQLRows]) throws -> [StoreWrite]
    ) async throws(AccountStoreError) -> [SQLRows] {
        try await call(.run, try await database.run(statements, changing: writes))
    }

    func storedSession(tokenHash: SecretHash) async throws(AccountStoreError) -> SignedInSession? {
        try await call(.session, try await database.storedSession(tokenHash: tokenHash))
    }

    func wipeTraces() async throws(AccountStoreError) {
        try await call(.wipeTraces, try await database.wipeTraces())
    }

    func backUp(_ order: BackupOrder) async throws(AccountStoreError) -> BackupReport {
        try await call(.backUp, try await database.backUp(order))
    }

    func updateStatistics(of tables: [String]) async {}

    func close() throws {
        try database.close()
    }
}
