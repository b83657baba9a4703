import Accounts
import Foundation
import GRDB
import Testing

@testable import AccountsSQLite

@Suite("A row where SQLite has it")
struct StatementRowTests {
    private struct Values: Equatable {
        let text: String
        let number: Int64
        let isSo: Bool
        let bytes: Data
        let nothing: String?
    }

    private static let sql = "SELECT 'Maya', 7, 1, ?, NULL WHERE ? > 0"

    private static func read(_ row: some ColumnValues) throws -> Values {
        Values(
            text: try row[0],
            number: try row[1],
            isSo: try row[2],
            bytes: try row[3],
            nothing: try row[4]
        )
    }

    @Test("is read as GRDB reads it, again and again, and is nil when there is none")
    func values() throws {
        try DatabaseQueue().read { database in
            for count in [1, 2, 0] {
                let arguments: StatementArguments = [Data([1, 2]), count]
                let found = try database.firstRow(Self.sql, arguments, Self.read)
                let copied = try database.row(Self.sql, arguments).map(Self.read)
                #expect(found == copied)
                #expect((found == nil) == (count == 0))
            }
        }
    }

    @Test("fails where a value is missing, or its statement fails, and can be read afterwards")
    func failures() throws {
        try DatabaseQueue().read { database in
            #expect(throws: AccountStoreError.self) {
                try database.firstRow("SELECT NULL", []) { row -> String? in
                    let text: String = try row[0]
                    return text
                }
            }
            let overflow = "SELECT abs(?)"
            let number: (StatementRow) throws -> Int64? = { try $0[0] }
            #expect(throws: DatabaseError.self) {
                try database.firstRow(overflow, [Int64.min], number)
            }
            let three = try database.firstRow(overflow, [-3], number)
            #expect(three == 3)
        }
    }
}
