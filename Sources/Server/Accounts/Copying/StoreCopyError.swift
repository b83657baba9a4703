import AppleIdentity

/// Why a store was not copied.
package struct StoreCopyError: Error, Hashable, Sendable {
    /// How a row of the target differs from the source's.
    package enum Difference: String, Sendable {
        case missing
        case altered
        case additional
    }

    /// The error, as a sentence in lower case.
    package let message: String
    /// A hint on how to fix it.
    package let hint: String

    static let itself = StoreCopyError(
        message: "source and target are the same database, or one is a copy of the other's files",
        hint: "specify an empty database as the target"
    )

    static let finished = StoreCopyError(
        message: "the target already contains a finished copy",
        hint: "specify an empty database as the target"
    )

    static let otherSource = StoreCopyError(
        message: "the target contains an unfinished copy of another database",
        hint: "specify that database as the source, or add --restart to delete the copied rows"
    )

    static func occupied(_ table: String) -> StoreCopyError {
        StoreCopyError(
            message: "the target is not empty: it has rows in the table \(table)",
            hint: "specify an empty database as the target; existing rows are never overwritten"
        )
    }

    static func sourceChanged(_ table: String) -> StoreCopyError {
        StoreCopyError(
            message: "the source has changed since the copy began, in the table \(table)",
            hint: "stop every server on the source, then run the command again with --restart"
        )
    }

    static func refused(
        _ table: StoreTable,
        first: StoreRow,
        _ error: AccountStoreError
    ) -> StoreCopyError {
        StoreCopyError(
            message: "the target refused the rows of \(table.name) that start at \(words(first))",
            hint: error.hint
        )
    }

    static func difference(
        _ table: StoreTable,
        _ key: StoreRow,
        _ difference: Difference
    ) -> StoreCopyError {
        StoreCopyError(
            message:
                "the copy differs from the source in the table \(table.name), first at \(words(key)): the row is \(difference.rawValue)",
            hint: "stop every server on both, then run the command again with --restart"
        )
    }

    private static func words(_ key: StoreRow) -> String {
        key.map { value in
            switch value {
            case .text(let text): text ?? "nothing"
            case .integer(let number): number.map { "\($0)" } ?? "nothing"
            case .boolean(let value): "\(value)"
            case .bytes(let bytes): bytes.map { Hexadecimal.encode($0) } ?? "nothing"
            }
        }
        .joined(separator: " ")
    }
}
