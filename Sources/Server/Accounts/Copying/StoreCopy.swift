import AppleIdentity
import Foundation

/// Copies all rows of one store to another and compares both.
///
/// The target stores its progress with every batch: an interrupted copy continues where it stopped. Before that, it
/// reads the copied rows at the source again and detects a source that has changed in the meantime.
package struct StoreCopy: Sendable {
    /// The default number of rows in a batch.
    package static let usualBatchCount = 500

    let source: AccountStore
    let target: AccountStore
    let batchCount: Int
    let audit: AuditContext?
    let time: TimeSource
    let onStep: @Sendable (StoreCopyStep) throws -> Void

    package init(
        from source: AccountStore,
        to target: AccountStore,
        batchCount: Int = usualBatchCount,
        audit: AuditContext? = nil,
        time: TimeSource = .live,
        onStep: @escaping @Sendable (StoreCopyStep) throws -> Void = { _ in }
    ) {
        self.source = source
        self.target = target
        self.batchCount = batchCount
        self.audit = audit
        self.time = time
        self.onStep = onStep
    }

    /// Copies the remaining rows, compares all rows, and lets servers open the target; throws ``StoreCopyError``,
    /// `AccountStoreError`, or an error of `onStep`.
    @discardableResult
    package func run(restarting restarts: Bool = false) async throws -> StoreCopyReport {
        let state = try await begin(restarting: restarts)
        for table in StoreTable.all { try await copy(table, state.tables[table.name]) }
        let report = try await compare()
        try await target.finishCopy(now: time.now)
        return report
    }

    private func begin(restarting restarts: Bool) async throws -> CopyState {
        let identity = try await source.databaseIdentity()
        guard try await target.databaseIdentity() != identity else { throw StoreCopyError.itself }
        if let state = try await target.copyState() {
            guard !state.isFinished else { throw StoreCopyError.finished }
            guard restarts else {
                guard state.source == identity else { throw StoreCopyError.otherSource }
                return state
            }
            try await target.discardCopy()
        }
        for table in StoreTable.all {
            let rows = try await target.rows(of: table, after: nil, maximumCount: 1)
            guard rows.isEmpty else { throw StoreCopyError.occupied(table.name) }
        }
        // Before the first row is copied; a copy that continues already has the entry.
        if let audit { try await source.record([audit.entry(.databaseCopied, of: nil)]) }
        try await target.beginCopy(of: identity, now: time.now)
        return CopyState(source: identity, isFinished: false, tables: [:])
    }

    private func copy(_ table: StoreTable, _ state: CopyState.Table?) async throws {
        var (digest, key) = try await checked(table, state)
        let total = try await source.rowCount(of: table)
        while true {
            try onStep(.copying(table: table.name, count: digest.count, total: total))
            let rows = try await source.rows(of: table, after: key, maximumCount: batchCount)
            guard let last = rows.last else { return }
            for row in rows { digest.add(row) }
            let position = table.key(of: last)
            key = position
            try await add(rows, to: table, position, digest)
            guard rows.count == batchCount else { return }
        }
    }

    private func add(
        _ rows: [StoreRow],
        to table: StoreTable,
        _ position: StoreRow,
        _ digest: RowDigest
    ) async throws {
        let state = CopyState.Table(position: CopyPosition.text(position), digest: digest.text)
        do {
            try await target.add(CopyBatch(table: table, rows: rows, state: state))
        } catch let error {
            guard error.kind == .failed, let first = rows.first else { throw error }
            throw StoreCopyError.refused(table, first: table.key(of: first), error)
        }
    }

    /// Reads the copied rows at the source again and returns their digest and the last key.
    private func checked(
        _ table: StoreTable,
        _ state: CopyState.Table?
    ) async throws -> (RowDigest, StoreRow?) {
        guard let state else { return (RowDigest(), nil) }
        guard let end = CopyPosition.key(state.position, of: table) else {
            throw StoreCopyError.sourceChanged(table.name)
        }
        try onStep(.checking(table: table.name))
        var digest = RowDigest()
        var key: StoreRow?
        while key != end {
            let rows = try await source.rows(of: table, after: key, maximumCount: batchCount)
            guard !rows.isEmpty else { throw StoreCopyError.sourceChanged(table.name) }
            for row in rows where key != end {
                digest.add(row)
                key = table.key(of: row)
            }
        }
        guard digest.text == state.digest else { throw StoreCopyError.sourceChanged(table.name) }
        return (digest, end)
    }
}

/// The next step of a copy.
package enum StoreCopyStep: Hashable, Sendable {
    /// Reads the copied rows of a table again.
    case checking(table: String)
    /// Copies a batch of rows of a table.
    case copying(table: String, count: Int, total: Int)
    /// Compares a table of source and target.
    case comparing(table: String)
}

/// The content of a finished copy.
package struct StoreCopyReport: Hashable, Sendable {
    /// The tables with their row counts, in the order of the copy.
    package let tables: [Table]

    package struct Table: Hashable, Sendable {
        package let name: String
        /// The number of rows in source and target.
        package let rowCount: Int
    }

    /// The number of rows of all tables.
    package var rowCount: Int { tables.reduce(0) { $0 + $1.rowCount } }

    /// The number of accounts.
    package var accountCount: Int {
        tables.first { $0.name == StoreTable.all[0].name }?.rowCount ?? 0
    }
}
