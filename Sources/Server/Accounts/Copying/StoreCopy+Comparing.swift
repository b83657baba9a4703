extension StoreCopy {
    /// Compares every table of source and target.
    func compare() async throws -> StoreCopyReport {
        var tables: [StoreCopyReport.Table] = []
        for table in StoreTable.all {
            try onStep(.comparing(table: table.name))
            async let wanted = digest(of: table, in: source)
            async let found = digest(of: table, in: target)
            let digests = try await (wanted, found)
            guard digests.0 == digests.1 else { throw try await difference(in: table) }
            tables.append(.init(name: table.name, rowCount: digests.0.count))
        }
        return StoreCopyReport(tables: tables)
    }

    private func digest(
        of table: StoreTable,
        in store: AccountStore
    ) async throws -> RowDigest {
        var digest = RowDigest()
        try await forEachBatch(of: table, in: store) { rows in
            for row in rows { digest.add(row) }
            return true
        }
        return digest
    }

    /// Finds the first row that differs, because a digest shows only that there is one.
    private func difference(in table: StoreTable) async throws -> StoreCopyError {
        if let (row, isThere) = try await firstDifference(in: table, of: source, from: target) {
            return .difference(table, table.key(of: row), isThere ? .altered : .missing)
        }
        if let (row, _) = try await firstDifference(in: table, of: target, from: source) {
            return .difference(table, table.key(of: row), .additional)
        }
        return .sourceChanged(table.name)
    }

    /// Returns the first row that differs in the other store, and whether that store has a row with the same key.
    private func firstDifference(
        in table: StoreTable,
        of store: AccountStore,
        from other: AccountStore
    ) async throws -> (row: StoreRow, isThere: Bool)? {
        var found: (row: StoreRow, isThere: Bool)?
        try await forEachBatch(of: table, in: store) { rows in
            let others = try await other.rows(of: table, keys: rows.map(table.key(of:)))
            let byKey = Dictionary(others.map { (table.key(of: $0), $0) }) { first, _ in first }
            guard let row = rows.first(where: { byKey[table.key(of: $0)] != $0 }) else {
                return true
            }
            found = (row, byKey[table.key(of: row)] != nil)
            return false
        }
        return found
    }

    /// Passes the rows of a table to the body in batches until it returns false.
    private func forEachBatch(
        of table: StoreTable,
        in store: AccountStore,
        _ body: ([StoreRow]) async throws -> Bool
    ) async throws {
        var key: StoreRow?
        repeat {
            let rows = try await store.rows(of: table, after: key, maximumCount: batchCount)
            guard let last = rows.last, try await body(rows) else { return }
            key = rows.count == batchCount ? table.key(of: last) : nil
        } while key != nil
    }
}
