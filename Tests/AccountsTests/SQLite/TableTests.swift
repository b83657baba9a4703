import AccountStoreConformance
import AccountsSQLite
import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import Accounts

/// Walks over the descriptions of the tables: a new column is tested as soon as it is described.
@Suite("Every column of every table", .timeLimit(.minutes(1)), StoreFile.lending)
struct TableTests {
    private let store: AccountStore

    init() throws {
        store = try StoreFile.lent.1
    }

    @Test("is read as it was written")
    func columns() async throws {
        try await withoutReferences {
            for table in Tables.all { try await check(table) }
        }
    }

    @Test("exists for every property of an account")
    func properties() async throws {
        try await withoutReferences {
            let definition = Tables.accounts.definition
            let row = definition.columns.enumerated().map { sample($1, number: $0 + 1) }
            try await add(row, to: definition)
            let account = try #require(try await store.account("value 1"))
            let empty = Mirror(reflecting: account).children
                .filter { Mirror(reflecting: $0.value).displayStyle == .optional }
                .filter { Mirror(reflecting: $0.value).children.isEmpty }
            // The table of identities has the link.
            #expect(empty.map(\.label) == ["apple"])
        }
    }

    @Test("is created by the step that added it, in both databases")
    func addedColumn() {
        let table = Table(
            "accounts",
            blank: Account(id: "", createdAt: Date(timeIntervalSince1970: 0)),
            [
                Column("id", \.id, isKey: true),
                Column("invented", \.username, since: .administration),
            ]
        )
        .definition
        for dialect in [SQLDialect.sqlite, .postgreSQL] {
            let first = table.statements(of: .firstTables, dialect)
            #expect(first.count == 1 && !first[0].contains("invented"))
            let added = "ALTER TABLE accounts ADD COLUMN invented TEXT"
            #expect(table.statements(of: .administration, dialect) == [added])
        }
    }

    /// Writes a row, reads it as a record, and writes the record to the same row.
    private func check<Description: RecordTable>(_ table: Description) async throws {
        let definition = table.definition
        let row = definition.columns.enumerated().map { sample($1, number: $0 + 1) }
        try await add(row, to: definition)
        #expect(try await rows(of: definition) == [row], "\(definition.name)")
        let record = try #require(
            try await store.database.read { $0.list(table.selection, "") }.first
        )
        _ = try await store.database.run("DELETE FROM \(definition.name)", [])
        let insertion = try table.insertion(of: record, ifAbsent: false)
        _ = try await store.database.run(insertion.sql, insertion.values)
        let written = try #require(try await rows(of: definition).first)
        let isRead = Set(table.selection.columns.split(separator: ", ").map(String.init))
        for (column, (before, after)) in zip(definition.columns, zip(row, written)) {
            let name = "\(definition.name).\(column.name)"
            if isRead.contains(name) {
                #expect(try content(before, of: column) == content(after, of: column), "\(name)")
            } else {
                #expect(after.isNull == false || column.isOptional, "\(name)")
            }
        }
    }

    /// A value that no other column of the row has.
    private func sample(_ column: StoreColumn, number: Int) -> SQLValue {
        switch (column.name, column.kind) {
        case ("purpose", _): .text(MailToken.Purpose.changeUndo.rawValue)
        case ("snapshot", _): .text(Self.snapshot)
        case (_, .text): .text("value \(number)")
        case (_, .integer): .integer(Int64(number) * 1_000_000)
        case (_, .boolean): .boolean(true)
        case (_, .bytes): .bytes(SecretHash(of: "value \(number)").bytes)
        }
    }

    /// The value, whose members have any order in JSON.
    private func content(_ value: SQLValue, of column: StoreColumn) throws -> AnyHashable {
        guard column.name == "snapshot", case .text(let text?) = value else { return value }
        return try AccountSnapshot(storedText: text)
    }

    private static let snapshot: String = {
        let account = Account(id: "maya", createdAt: Date(timeIntervalSince1970: 0))
        let snapshot = try? AccountSnapshot(of: account, nil).storedText()
        return snapshot ?? ""
    }()

    private func add(_ row: StoreRow, to table: StoreTable) async throws {
        let state = CopyState.Table(position: "", digest: "")
        try await store.add(CopyBatch(table: table, rows: [row], state: state))
    }

    private func rows(of table: StoreTable) async throws -> [StoreRow] {
        try await store.rows(of: table, after: nil, maximumCount: 10)
    }

    /// Runs a body while a row may refer to no other.
    private func withoutReferences(_ body: () async throws -> Void) async throws {
        try await execute("PRAGMA foreign_keys = OFF", on: store)
        try await body()
    }
}

@Suite("The facts of a change") struct ChangeQueryTests {
    @Test("of the email address are neither the password nor the refresh tokens")
    func emailChange() {
        let change = AccountChange(
            kind: .cancelEmailChange,
            caller: AccountChange.Caller(account: "maya", session: "phone", signedInSince: nil),
            undoLink: nil,
            now: Date(timeIntervalSince1970: 0)
        )
        #expect(Self.reads(change, "apple_identities"))
        #expect(!Self.reads(change, "passwords") && !Self.reads(change, "apple_refresh_tokens"))
    }

    @Test("that ends the link to Apple are the refresh tokens, and the password for undoing it")
    func unlinking() {
        var change = AccountChange(
            kind: .unlinkApple("entry"),
            caller: AccountChange.Caller(account: "maya", session: "phone", signedInSince: nil),
            now: Date(timeIntervalSince1970: 0)
        )
        #expect(Self.reads(change, "apple_refresh_tokens") && !Self.reads(change, "passwords"))
        change.undoLink = AccountChange.UndoLink(
            hash: SecretHash(of: "link"),
            address: "maya@example.com",
            mail: AccountStoreConformance.mail("undo")
        )
        #expect(Self.reads(change, "passwords"))
    }

    private static func reads(_ change: AccountChange, _ table: String) -> Bool {
        var query = Query()
        _ = query.facts(of: change)
        return query.statements.contains { $0.sql.contains(table) }
    }
}
