import Accounts
import Foundation
import GRDB

/// The columns of an entry of the audit log, read by position.
enum AuditEntryRow {
    static let columns = """
        id, occurred_at, action, actor, administrator, account_id, session_id, address, client,
        detail, code
        """
    static let columnCount = 11
    /// The entry of the chain with the name of one that waits.
    static let sameInChain =
        "(SELECT 1 FROM audit_entries WHERE audit_entries.id = audit_waiting.id)"

    /// The columns of an entry of the chain.
    static let sealedColumns = "\(columns), number, proof, hash"

    static func read(_ row: Row) -> AuditEntry {
        let account: String? = row[5]
        let session: String? = row[6]
        return AuditEntry(
            id: AuditID(rawValue: row[0]),
            occurredAt: Date(microseconds: row[1]),
            action: row[2],
            actor: row[3],
            administrator: row[4],
            account: account.map(AccountID.init(rawValue:)),
            session: session.map(SessionID.init(rawValue:)),
            address: row[7],
            client: row[8],
            detail: row[9],
            code: row[10]
        )
    }

    static func readSealed(_ row: Row) -> SealedAuditEntry {
        SealedAuditEntry(
            entry: read(row),
            proof: row[columnCount + 1],
            position: AuditPosition(number: row[columnCount], hash: row[columnCount + 2])
        )
    }

    static func readRecord(_ row: Row) -> AuditRecord {
        AuditRecord(number: row[columnCount], proof: row[columnCount + 1], entry: read(row))
    }

    /// The values of the columns.
    static func values(_ entry: AuditEntry) -> StatementArguments {
        [
            entry.id.rawValue, entry.occurredAt.microseconds, entry.action, entry.actor,
            entry.administrator, entry.account?.rawValue, entry.session?.rawValue, entry.address,
            entry.client, entry.detail, entry.code,
        ]
    }
}

/// The columns of the seal, read by position.
enum AuditSealRow {
    static let columns = """
        started_at, checkpoint_number, checkpoint_hash, head_number, head_hash, sealed_at, code
        """

    static func read(_ row: Row) -> AuditSeal {
        AuditSeal(
            startedAt: Date(microseconds: row[0]),
            checkpoint: AuditPosition(number: row[1], hash: row[2]),
            head: AuditPosition(number: row[3], hash: row[4]),
            sealedAt: Date(microseconds: row[5]),
            code: row[6]
        )
    }

    static func values(_ seal: AuditSeal) -> StatementArguments {
        [
            seal.startedAt.microseconds, seal.checkpoint.number, seal.checkpoint.hash,
            seal.head.number, seal.head.hash, seal.sealedAt.microseconds, seal.code,
        ]
    }
}
