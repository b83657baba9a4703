import Accounts
import Foundation

/// The audit log.
///
/// Whoever changes the chain locks the seal first. Its transactions are not serializable: they would be in the way of
/// every change that writes an entry meanwhile.
extension PostgreSQLAccountStore {
    /// Writes entries of the audit log that belong to no other change.
    public func record(_ entries: [AuditEntry]) async throws(AccountStoreError) {
        guard !entries.isEmpty else { return }
        try await database.run(entries.map(\.insertion))
    }

    /// Lists entries of the audit log by their names.
    public func auditEntries(
        _ query: AuditQuery
    ) async throws(AccountStoreError) -> [AuditRecord] {
        try await database.read { $0.auditRecords(query) }
    }

    /// Reads some of the chain of the audit log.
    public func auditPart(
        after number: Int?,
        maximumCount: Int,
        asked: Int?
    ) async throws(AccountStoreError) -> AuditPart {
        try await database.read { question in
            let seal = question.auditSeal()
            let entries = question.auditChain(after: number, maximumCount: maximumCount)
            let position = asked.map { question.auditPosition($0) }
            let waiting = question.ask("SELECT count(*) FROM audit_waiting", []) {
                rows throws(AccountStoreError) in try rows.first?.count(0) ?? 0
            }
            return Fact { answers throws(AccountStoreError) in
                AuditPart(
                    seal: try answers[seal],
                    entries: try answers[entries],
                    asked: try answers[position],
                    waitingCount: try answers[waiting]
                )
            }
        }
    }

    /// Makes entries that wait part of the chain; by reading alone when there is nothing to do.
    public func seal(
        _ sealing: AuditSealing
    ) async throws(AccountStoreError) -> AuditSealingOutcome {
        let facts = try await database.read(byKeys: true) { $0.facts(of: sealing.look) }
        if sealing.isIdle(given: facts) { return sealing.decision(given: facts).answer }
        return try await database.decide(isolation: .readCommitted) { question in
            question.lockAuditSeal()
            let facts = question.facts(of: sealing)
            return { answers throws(AccountStoreError) in
                sealing.decision(given: try answers[facts])
            }
        }
    }

    /// Forgets old entries of the audit log; by reading alone when there are none.
    public func forget(
        _ expiry: AuditExpiry
    ) async throws(AccountStoreError) -> AuditExpiryOutcome {
        let oldest = try await database.read { $0.auditChain(after: nil, maximumCount: 1) }
        guard oldest.contains(where: { $0.entry.occurredAt < expiry.limit }) else {
            return .forgotten(0)
        }
        return try await database.decide(isolation: .readCommitted) { question in
            question.lockAuditSeal()
            let seal = question.auditSeal()
            let oldest = question.auditChain(after: nil, maximumCount: expiry.maximumCount)
            return { answers throws(AccountStoreError) in
                expiry.decision(given: try answers[seal], oldest: try answers[oldest])
            }
        }
    }
}

extension Question {
    /// In a statement of its own: those after it see what was committed while it waited.
    fileprivate mutating func lockAuditSeal() {
        _ = ask("SELECT id FROM audit_seal WHERE id = 1 FOR UPDATE", []) { _ in () }
    }

    fileprivate mutating func facts(of sealing: AuditSealing) -> Fact<AuditFacts> {
        let seal = auditSeal()
        let last = first(
            "SELECT number, hash FROM audit_entries ORDER BY number DESC LIMIT 1",
            []
        ) { row throws(AccountStoreError) in
            AuditPosition(number: try row.count(0), hash: try row.hash(1).bytes)
        }
        let remembered = sealing.remembered.map { auditPosition($0.number) }
        let waiting = list(
            """
            SELECT \(AuditEntryRow.columns), \(AuditEntryRow.countInChain) > 0
            FROM audit_waiting ORDER BY id LIMIT $1
            """,
            [.count(sealing.maximumCount)]
        ) { row throws(AccountStoreError) in
            let isSealed = try row.boolean(AuditEntryRow.columnCount)
            return (entry: try AuditEntryRow.read(row), isSealed: isSealed)
        }
        return Fact { answers throws(AccountStoreError) in
            let waiting = try answers[waiting]
            return AuditFacts(
                seal: try answers[seal],
                last: try answers[last],
                rememberedHash: try answers[remembered]?.hash,
                waiting: waiting.map(\.entry),
                sealedBefore: Set(waiting.filter(\.isSealed).map(\.entry.id))
            )
        }
    }

    fileprivate mutating func auditSeal() -> Fact<AuditSeal?> {
        first("SELECT \(AuditSealRow.columns) FROM audit_seal WHERE id = 1", []) {
            row throws(AccountStoreError) in try AuditSealRow.read(row)
        }
    }

    fileprivate mutating func auditPosition(_ number: Int) -> Fact<AuditPosition?> {
        first("SELECT hash FROM audit_entries WHERE number = $1", [.count(number)]) {
            row throws(AccountStoreError) in
            AuditPosition(number: number, hash: try row.hash(0).bytes)
        }
    }

    /// Without a number from where the chain begins.
    fileprivate mutating func auditChain(
        after number: Int?,
        maximumCount: Int
    ) -> Fact<[SealedAuditEntry]> {
        list(
            """
            SELECT \(AuditEntryRow.sealedColumns) FROM audit_entries
            WHERE number > coalesce($1,
                (SELECT checkpoint_number FROM audit_seal WHERE audit_seal.id = 1), 0)
            ORDER BY number LIMIT $2
            """,
            [.integer(number.map { Int64($0) }), .count(maximumCount)]
        ) { row throws(AccountStoreError) in try AuditEntryRow.readSealed(row) }
    }

    /// By what something is known again that was carried out, and whose answer was lost.
    ///
    /// Entries are written next to each other: who reads where they are is in the way of all who write one. It is asked only
    /// where nothing is left to be carried out.
    mutating func auditEntry(of context: AuditContext?) -> Fact<AuditEntry?>? {
        context.map { context in
            first(
                """
                SELECT \(AuditEntryRow.columns) FROM audit_waiting WHERE id = $1
                UNION ALL SELECT \(AuditEntryRow.columns) FROM audit_entries WHERE id = $1
                """,
                [.text(context.id.rawValue)]
            ) { row throws(AccountStoreError) in try AuditEntryRow.read(row) }
        }
    }

    /// Each table gives what it has in its order, of which the first ones are taken.
    mutating func auditRecords(_ query: AuditQuery) -> Fact<[AuditRecord]> {
        let order = query.isLatestFirst ? "DESC" : "ASC"
        let account = query.account == nil ? "" : "AND account_id = $3"
        func part(_ table: String, _ columns: String, _ condition: String = "") -> String {
            """
            (SELECT \(AuditEntryRow.columns), \(columns) FROM \(table)
            WHERE id > $1 \(account) \(condition) ORDER BY id \(order) LIMIT $2)
            """
        }
        let nothing = "CAST(NULL AS BIGINT), CAST(NULL AS TEXT)"
        var values: [StatementValue] = [.text(query.after?.rawValue ?? ""), .count(query.count)]
        if let account = query.account { values.append(.text(account.rawValue)) }
        return list(
            """
            \(part("audit_entries", "number, proof")) UNION ALL
            \(part("audit_waiting", nothing, "AND \(AuditEntryRow.countInChain) = 0"))
            ORDER BY id \(order) LIMIT $2
            """,
            values
        ) { row throws(AccountStoreError) in try AuditEntryRow.readRecord(row) }
    }
}
