import Accounts
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Writes entries of the audit log that belong to no other change.
    public func record(_ entries: [AuditEntry]) async throws(AccountStoreError) {
        try await writer.decide { _ in Decision((), entries.map { .recordAudit($0) }) }
    }

    /// Lists entries of the audit log by their names.
    public func auditEntries(
        _ query: AuditQuery
    ) async throws(AccountStoreError) -> [AuditRecord] {
        try await read { try $0.auditRecords(query) }
    }

    /// Reads some of the chain of the audit log.
    public func auditPart(
        after number: Int?,
        maximumCount: Int,
        asked: Int?
    ) async throws(AccountStoreError) -> AuditPart {
        try await read { database in
            let seal = try database.auditSeal()
            let start = number ?? seal?.checkpoint.number ?? 0
            return AuditPart(
                seal: seal,
                entries: try database.auditChain(after: start, maximumCount: maximumCount),
                asked: try asked.flatMap { try database.auditPosition($0) },
                waitingCount: try database.row("SELECT count(*) FROM audit_waiting", [])?[0] ?? 0
            )
        }
    }

    /// Makes entries that wait part of the chain; by reading alone when there is nothing to do.
    public func seal(
        _ sealing: AuditSealing
    ) async throws(AccountStoreError) -> AuditSealingOutcome {
        let facts = try await read { try $0.facts(of: sealing.look) }
        if sealing.isIdle(given: facts) { return sealing.decision(given: facts).answer }
        return try await writer.decide { database in
            sealing.decision(given: try database.facts(of: sealing))
        }
    }

    /// Forgets old entries of the audit log; by reading alone when there are none.
    public func forget(
        _ expiry: AuditExpiry
    ) async throws(AccountStoreError) -> AuditExpiryOutcome {
        let isAny = try await read { database in
            let start = try database.auditSeal()?.checkpoint.number ?? 0
            let oldest = try database.auditChain(after: start, maximumCount: 1)
            return oldest.contains { $0.entry.occurredAt < expiry.limit }
        }
        guard isAny else { return .forgotten(0) }
        return try await writer.decide { database in
            let seal = try database.auditSeal()
            return expiry.decision(
                given: seal,
                oldest: try database.auditChain(
                    after: seal?.checkpoint.number ?? 0,
                    maximumCount: expiry.maximumCount
                )
            )
        }
    }
}

extension Database {
    fileprivate func facts(of sealing: AuditSealing) throws -> AuditFacts {
        let waiting = try rows(
            """
            SELECT \(AuditEntryRow.columns), EXISTS \(AuditEntryRow.sameInChain)
            FROM audit_waiting ORDER BY id LIMIT ?
            """,
            [sealing.maximumCount]
        )
        .map { row in
            let isSealed: Bool = row[AuditEntryRow.columnCount]
            return (entry: AuditEntryRow.read(row), isSealed: isSealed)
        }
        return AuditFacts(
            seal: try auditSeal(),
            last: try row(
                "SELECT number, hash FROM audit_entries ORDER BY number DESC LIMIT 1",
                []
            )
            .map { AuditPosition(number: $0[0], hash: $0[1]) },
            rememberedHash: try sealing.remembered.flatMap { try auditPosition($0.number)?.hash },
            waiting: waiting.map(\.entry),
            sealedBefore: Set(waiting.filter(\.isSealed).map(\.entry.id))
        )
    }

    fileprivate func auditSeal() throws -> AuditSeal? {
        try row("SELECT \(AuditSealRow.columns) FROM audit_seal WHERE id = 1", [])
            .map(AuditSealRow.read)
    }

    fileprivate func auditPosition(_ number: Int) throws -> AuditPosition? {
        try row("SELECT hash FROM audit_entries WHERE number = ?", [number])
            .map { AuditPosition(number: number, hash: $0[0]) }
    }

    fileprivate func auditChain(
        after number: Int,
        maximumCount: Int
    ) throws -> [SealedAuditEntry] {
        try rows(
            """
            SELECT \(AuditEntryRow.sealedColumns) FROM audit_entries
            WHERE number > ? ORDER BY number LIMIT ?
            """,
            [number, maximumCount]
        )
        .map(AuditEntryRow.readSealed)
    }

    /// By what something is known again that was carried out, and whose answer was lost.
    func auditEntry(of context: AuditContext?) throws -> AuditEntry? {
        guard let id = context?.id.rawValue else { return nil }
        return try row(
            """
            SELECT \(AuditEntryRow.columns) FROM audit_waiting WHERE id = ?1
            UNION ALL SELECT \(AuditEntryRow.columns) FROM audit_entries WHERE id = ?1
            """,
            [id]
        )
        .map { AuditEntryRow.read($0) }
    }

    /// Each table gives what it has in its order, of which the first ones are taken.
    func auditRecords(_ query: AuditQuery) throws -> [AuditRecord] {
        let order = query.isLatestFirst ? "DESC" : "ASC"
        let account = query.account == nil ? "" : "AND account_id = ?3"
        func part(_ table: String, _ columns: String, _ condition: String = "") -> String {
            """
            SELECT * FROM (SELECT \(AuditEntryRow.columns), \(columns) FROM \(table)
            WHERE id > ?1 \(account) \(condition) ORDER BY id \(order) LIMIT ?2)
            """
        }
        var arguments: StatementArguments = [query.after?.rawValue ?? "", query.count]
        if let account = query.account { arguments += [account.rawValue] }
        let isNoOther = "AND NOT EXISTS \(AuditEntryRow.sameInChain)"
        return try rows(
            """
            \(part("audit_entries", "number, proof")) UNION ALL
            \(part("audit_waiting", "NULL, NULL", isNoOther)) ORDER BY id \(order) LIMIT ?2
            """,
            arguments
        )
        .map(AuditEntryRow.readRecord)
    }
}
