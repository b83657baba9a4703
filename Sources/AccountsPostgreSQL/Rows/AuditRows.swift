import Accounts
import Foundation

/// The columns of an entry of the audit log, read by position.
enum AuditEntryRow {
    static let insertedColumns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("occurred_at", .integer), ("action", .text), ("actor", .text),
        ("administrator", .text), ("account_id", .text), ("session_id", .text),
        ("address", .text), ("client", .text), ("detail", .text), ("code", .bytes),
    ]
    /// The columns of an entry of the chain.
    static let sealedInsertedColumns =
        insertedColumns + [("number", .integer), ("proof", .text), ("hash", .bytes)]
    static let columns = insertedColumns.map(\.name).joined(separator: ", ")
    static let columnCount = insertedColumns.count
    /// How many entries of the chain have the name of one that waits: a count is looked up for each row by an index, while a
    /// planner may read the whole chain for `EXISTS`.
    static let countInChain =
        "(SELECT count(*) FROM audit_entries WHERE audit_entries.id = audit_waiting.id)"

    static let sealedColumns = sealedInsertedColumns.map(\.name).joined(separator: ", ")

    static func read(_ row: Row) throws(AccountStoreError) -> AuditEntry {
        AuditEntry(
            id: AuditID(rawValue: try row.text(0)),
            occurredAt: try row.date(1),
            action: try row.text(2),
            actor: try row.text(3),
            administrator: try row.optionalText(4),
            account: try row.optionalText(5).map(AccountID.init(rawValue:)),
            session: try row.optionalText(6).map(SessionID.init(rawValue:)),
            address: try row.optionalText(7),
            client: try row.optionalText(8),
            detail: try row.optionalText(9),
            code: try row.optionalHash(10)?.bytes
        )
    }

    static func readSealed(_ row: Row) throws(AccountStoreError) -> SealedAuditEntry {
        SealedAuditEntry(
            entry: try read(row),
            proof: try row.text(columnCount + 1),
            position: AuditPosition(
                number: try row.count(columnCount),
                hash: try row.hash(columnCount + 2).bytes
            )
        )
    }

    static func readRecord(_ row: Row) throws(AccountStoreError) -> AuditRecord {
        AuditRecord(
            number: try row.optionalInteger(columnCount).map { Int($0) },
            proof: try row.optionalText(columnCount + 1),
            entry: try read(row)
        )
    }

    /// The values of the columns.
    static func values(_ entry: AuditEntry) -> [StatementValue] {
        [
            .text(entry.id.rawValue), .integer(entry.occurredAt.microseconds),
            .text(entry.action), .text(entry.actor), .text(entry.administrator),
            .text(entry.account?.rawValue), .text(entry.session?.rawValue), .text(entry.address),
            .text(entry.client), .text(entry.detail), .bytes(entry.code),
        ]
    }
}

/// The columns of the seal, read by position.
enum AuditSealRow {
    static let columns = """
        started_at, checkpoint_number, checkpoint_hash, head_number, head_hash, sealed_at, code
        """

    static func read(_ row: Row) throws(AccountStoreError) -> AuditSeal {
        AuditSeal(
            startedAt: try row.date(0),
            checkpoint: AuditPosition(number: try row.count(1), hash: try row.hash(2).bytes),
            head: AuditPosition(number: try row.count(3), hash: try row.hash(4).bytes),
            sealedAt: try row.date(5),
            code: try row.optionalHash(6)?.bytes
        )
    }

    static func values(_ seal: AuditSeal) -> [StatementValue] {
        [
            .integer(seal.startedAt.microseconds), .count(seal.checkpoint.number),
            .bytes(seal.checkpoint.hash), .count(seal.head.number), .bytes(seal.head.hash),
            .integer(seal.sealedAt.microseconds), .bytes(seal.code),
        ]
    }
}
