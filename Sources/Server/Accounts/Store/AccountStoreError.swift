/// The failure of a store operation.
package struct AccountStoreError: Error, Hashable, Sendable {
    /// Whether a retry may help, and whether the operation was performed.
    package enum Kind: Hashable, Sendable {
        /// The store is busy, full, read-only or unreachable; nothing changed, and the same call may succeed later.
        case unavailable
        /// The store is damaged, or was called incorrectly; nothing changed.
        case failed
        /// The commit's result was lost: all of it was performed, or nothing. The same call with the same identifiers
        /// performs it if it was not.
        case outcomeUnknown
    }

    package let kind: Kind
    /// The database's message, for the operator's log; never a value.
    package let hint: String

    package init(_ kind: Kind, hint: String) {
        self.kind = kind
        self.hint = hint
    }
}

extension AccountStoreError {
    /// The refusal of a database without tables of this program.
    package static let noTables = AccountStoreError(
        .failed,
        hint: "the database has no tables of siwa; check its address, or run siwa database migrate"
    )
    /// The refusal of tables that only a migration makes readable.
    package static let olderTables = AccountStoreError(
        .failed,
        hint: "an older version created the tables; run it, or siwa database migrate"
    )
    /// The refusal of tables that a newer version has migrated.
    package static let newerTables = AccountStoreError(
        .failed,
        hint: "a newer version migrated the database; run that version or restore a backup"
    )
}

extension AccountStoreError: CustomStringConvertible {
    /// The hint, which is a sentence for the operator.
    package var description: String { hint }
}
