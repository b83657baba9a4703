import Foundation

@testable import Accounts

/// Rows of every table with random and extreme values, the same for the same seed.
package struct RandomRows {
    private static let letters = Array("aZ0 '\"\\%_;-–äß€日本👩‍👩‍👧e\u{301}\u{202E}\u{FEFF}\n\t")
    private static let hashByteCount = 32
    /// Columns without an index, because an index page has no room for long strings.
    private static let longColumns: Set = ["name", "device", "payload", "sealed_token"]

    private var numbers: SeededNumbers
    private var number = 0

    /// Starts a sequence of rows.
    package init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
    }

    /// Adds rows to a store as a copy does, without beginning a copy.
    package mutating func fill(_ store: AccountStore, count: Int) async throws {
        var accounts: [SQLValue] = []
        for table in StoreTable.all {
            let rows = (0..<count).map { row(of: table, account: accounts.element(at: $0)) }
            if accounts.isEmpty { accounts = rows.map { $0[0] } }
            let batch = CopyBatch(
                table: table,
                rows: rows,
                state: CopyState.Table(position: "", digest: "")
            )
            try await store.add(batch)
        }
    }

    private mutating func row(of table: StoreTable, account: SQLValue?) -> StoreRow {
        number += 1
        return table.columns.map { column in
            if column.name == "account_id", let account { return account }
            if column.isOptional, numbers.next() % 3 == 0 { return column.null }
            // Extreme numbers would repeat.
            if column.kind == .integer, column.isKey {
                return .integer(Int64(number))
            }
            return value(column)
        }
    }

    private mutating func value(_ column: StoreColumn) -> SQLValue {
        switch column.kind {
        case .text:
            .text(text(isLong: Self.longColumns.contains(column.name) && numbers.next() % 8 == 0))
        case .integer: .integer(integer())
        case .boolean: .boolean(numbers.next() % 2 == 0)
        case .bytes:
            .bytes(
                Data(
                    (0..<Self.hashByteCount).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
                )
            )
        }
    }

    /// A string that is unique in the sequence.
    private mutating func text(isLong: Bool) -> String {
        number += 1
        let count = isLong ? 5_000 : Int(numbers.next() % 12)
        let letters = (0..<count).map { _ in
            Self.letters[Int(numbers.next() % UInt64(Self.letters.count))]
        }
        return String(letters) + String(number, radix: 36)
    }

    private mutating func integer() -> Int64 {
        switch numbers.next() % 8 {
        case 0: .max
        case 1: .min
        case 2: 0
        case 3: -1
        default: 1_769_000_000_000_000 + Int64(numbers.next() % 1_000_000_000)
        }
    }
}

extension Array {
    fileprivate func element(at index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}

extension StoreColumn {
    /// NULL with the type of the column.
    package var null: SQLValue {
        switch kind {
        case .text, .boolean: .text(nil)
        case .integer: .integer(nil)
        case .bytes: .bytes(nil)
        }
    }
}
