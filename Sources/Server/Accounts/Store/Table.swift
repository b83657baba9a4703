import AppleIdentity
import Foundation

/// A value of a column.
protocol StoredValue: Sendable {
    static var kind: StoreColumn.Kind { get }
    static var isOptional: Bool { get }

    /// Reads a value; nil when its type is another one.
    init?(stored: SQLValue)

    var stored: SQLValue { get }
}

extension StoredValue {
    fileprivate init(_ stored: SQLValue, of column: String) throws(AccountStoreError) {
        guard let value = Self(stored: stored) else {
            throw AccountStoreError(.failed, hint: "the column \(column) has an unexpected value")
        }
        self = value
    }
}

/// A column of a table and the property of a record that it stores.
struct Column<Record: Sendable>: Sendable {
    let definition: StoreColumn
    /// Returns the value to store; nil for a column that an insertion leaves to its default.
    let value: (@Sendable (Record) throws -> SQLValue)?
    /// Sets the property from a stored value; nil for a column that is not read.
    let assign: (@Sendable (SQLValue, inout Record) throws -> Void)?
}

extension Column {
    /// A column of a property.
    init<Value: StoredValue>(
        _ name: String,
        _ property: any WritableKeyPath<Record, Value> & Sendable,
        _ rule: String = "",
        isKey: Bool = false,
        since step: SchemaStep? = nil
    ) {
        definition = StoreColumn(name, Value.self, rule, isKey: isKey, since: step)
        value = { record in record[keyPath: property].stored }
        assign = { stored, record in
            record[keyPath: property] = try Value(stored, of: name)
        }
    }

    /// A column of a value that is derived from a record; without `set`, it is not read.
    init<Value: StoredValue>(
        _ name: String,
        get: @escaping @Sendable (Record) throws -> Value,
        set: (@Sendable (inout Record, Value) throws -> Void)? = nil,
        _ rule: String = "",
        isKey: Bool = false,
        since step: SchemaStep? = nil
    ) {
        definition = StoreColumn(name, Value.self, rule, isKey: isKey, since: step)
        value = { try get($0).stored }
        guard let set else {
            assign = nil
            return
        }
        assign = { stored, record in try set(&record, try Value(stored, of: name)) }
    }

    /// A column that only statements use.
    init<Value: StoredValue>(
        _ name: String,
        _ type: Value.Type,
        _ rule: String = "",
        isKey: Bool = false,
        since step: SchemaStep? = nil
    ) {
        definition = StoreColumn(name, type, rule, isKey: isKey, since: step)
        value = nil
        assign = nil
    }
}

extension StoreColumn {
    fileprivate init<Value: StoredValue>(
        _ name: String,
        _ type: Value.Type,
        _ rule: String,
        isKey: Bool,
        since step: SchemaStep?
    ) {
        self.init(
            name: name,
            kind: type.kind,
            isOptional: type.isOptional,
            isKey: isKey,
            rule: rule,
            step: step
        )
    }
}

/// A table whose rows are records of one type.
protocol RecordTable: Sendable {
    associatedtype Record: Sendable

    var definition: StoreTable { get }
    /// Reads a record from the columns of ``selection``.
    var selection: Selection<Record> { get }

    /// Returns the statement that inserts a record; unless `ifAbsent`, an existing row is an error.
    func insertion(of record: Record, ifAbsent: Bool) throws(AccountStoreError) -> Statement
}

/// The description of a table, from which its statements are built once.
struct Table<Record: Sendable>: RecordTable {
    let definition: StoreTable
    let selection: Selection<Record>
    private let boundColumns: [Column<Record>]
    private let insertion: String
    private let insertionIfAbsent: String
    private let replacement: String
    private let change: String

    /// - Parameters:
    ///   - name: the name of the table.
    ///   - blank: the record whose properties are set from a row.
    ///   - columns: the columns, those of the primary key first.
    ///   - unique: the columns that are unique together.
    ///   - indexes: the indexes.
    ///   - step: the step that created the table.
    init(
        _ name: String,
        blank: Record,
        _ columns: [Column<Record>],
        unique: String? = nil,
        indexes: [StoreIndex] = [],
        since step: SchemaStep = .firstTables
    ) {
        definition = StoreTable(
            name: name,
            columns: columns.map(\.definition),
            uniqueColumns: unique,
            indexes: indexes,
            step: step
        )
        let assignments = columns.compactMap(\.assign)
        let selected = columns.filter { $0.assign != nil }.map { "\(name).\($0.definition.name)" }
        selection = Selection(selected.joined(separator: ", "), from: name) { row in
            var record = blank
            for assign in assignments { try assign(row.next(), &record) }
            return record
        }
        boundColumns = columns.filter { $0.value != nil }
        let bound = boundColumns.map(\.definition)
        let key = definition.key
        let rest = bound.filter { !$0.isKey }
        let marks = bound.indices.map { "$\($0 + 1)" }
        insertion = "INSERT INTO \(name) (\(bound.names)) VALUES (\(marks.joined(separator: ", ")))"
        insertionIfAbsent = "\(insertion) ON CONFLICT (\(key.names)) DO NOTHING"
        replacement =
            "\(insertion) ON CONFLICT (\(key.names)) DO UPDATE SET "
            + rest.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
        func equations(_ isKey: Bool) -> [String] {
            zip(bound, marks).filter { $0.0.isKey == isKey }.map { "\($0.0.name) = \($0.1)" }
        }
        change =
            "UPDATE \(name) SET \(equations(false).joined(separator: ", "))"
            + " WHERE \(equations(true).joined(separator: " AND "))"
    }

    func insertion(
        of record: Record,
        ifAbsent: Bool = false
    ) throws(AccountStoreError) -> Statement {
        Statement(ifAbsent ? insertionIfAbsent : insertion, try values(of: record))
    }

    /// Returns the statement that inserts a record, or updates the row with the same key.
    func replacement(by record: Record) throws(AccountStoreError) -> Statement {
        Statement(replacement, try values(of: record))
    }

    /// Returns the statement that updates the row with the record's key.
    func change(to record: Record) throws(AccountStoreError) -> Statement {
        Statement(change, try values(of: record))
    }

    private func values(of record: Record) throws(AccountStoreError) -> [SQLValue] {
        do {
            return try boundColumns.compactMap { try $0.value?(record) }
        } catch {
            throw AccountStoreError(reading: error)
        }
    }
}

/// The columns of a selection and what is read from them.
struct Selection<Value: Sendable>: Sendable {
    let columns: String
    let tables: String
    /// The statement up to its condition.
    let sql: String
    private let columnCount: Int
    /// Reads a value from the next columns of a row.
    let read: @Sendable (inout RowReader) throws -> Value

    init(
        _ columns: String,
        from tables: String,
        _ read: @escaping @Sendable (inout RowReader) throws -> Value
    ) {
        self.columns = columns
        self.tables = tables
        self.read = read
        columnCount = columns.split(separator: ",").count
        sql = "SELECT \(columns) FROM \(tables) "
    }

    func read(_ row: SQLRow) throws(AccountStoreError) -> Value {
        var reader = RowReader(row)
        do {
            return try read(&reader)
        } catch {
            throw AccountStoreError(reading: error)
        }
    }

    /// Reads a value; nil when an outer join found no row.
    func readIfPresent(_ reader: inout RowReader) throws -> Value? {
        guard reader.isAtNull else { return try read(&reader) }
        reader.skip(columnCount)
        return nil
    }

}

/// Reads the values of a row one after the other.
struct RowReader {
    private let values: [SQLValue]
    private var index = 0

    init(_ row: SQLRow) { values = row.values }

    /// Whether the next value is NULL.
    var isAtNull: Bool { values[index].isNull }

    mutating func next() -> SQLValue {
        defer { index += 1 }
        return values[index]
    }

    mutating func next<Value: StoredValue>() throws(AccountStoreError) -> Value {
        guard let value = Value(stored: next()) else {
            throw AccountStoreError(.failed, hint: "value \(index) of a row has another type")
        }
        return value
    }

    mutating func skip(_ count: Int) { index += count }
}

extension AccountStoreError {
    /// The error of a value that cannot be stored or read.
    init(reading error: any Error) {
        self =
            error as? AccountStoreError
            ?? AccountStoreError(.failed, hint: "\(type(of: error))")
    }
}

extension String: StoredValue {
    static var kind: StoreColumn.Kind { .text }
    static var isOptional: Bool { false }

    init?(stored: SQLValue) {
        guard case .text(let text?) = stored else { return nil }
        self = text
    }

    var stored: SQLValue { .text(self) }
}

extension Data: StoredValue {
    static var kind: StoreColumn.Kind { .bytes }
    static var isOptional: Bool { false }

    init?(stored: SQLValue) {
        guard case .bytes(let bytes?) = stored else { return nil }
        self = bytes
    }

    var stored: SQLValue { .bytes(self) }
}

extension Int: StoredValue {
    static var kind: StoreColumn.Kind { .integer }
    static var isOptional: Bool { false }

    init?(stored: SQLValue) {
        guard case .integer(let number?) = stored else { return nil }
        self.init(number)
    }

    var stored: SQLValue { .count(self) }
}

/// A time, in whole microseconds since 1970.
extension Date: StoredValue {
    static var kind: StoreColumn.Kind { .integer }
    static var isOptional: Bool { false }

    init?(stored: SQLValue) {
        guard case .integer(let number?) = stored else { return nil }
        self.init(microseconds: number)
    }

    var stored: SQLValue { .date(self) }
}

/// A boolean, which SQLite stores as a number.
extension Bool: StoredValue {
    static var kind: StoreColumn.Kind { .boolean }
    static var isOptional: Bool { false }

    init?(stored: SQLValue) {
        switch stored {
        case .boolean(let value): self = value
        case .integer(let number?): self = number != 0
        default: return nil
        }
    }

    var stored: SQLValue { .boolean(self) }
}

extension SecretHash: StoredValue {
    static var kind: StoreColumn.Kind { .bytes }
    static var isOptional: Bool { false }

    init?(stored: SQLValue) {
        guard case .bytes(let bytes?) = stored else { return nil }
        self.init(bytes: bytes)
    }

    var stored: SQLValue { .bytes(bytes) }
}

extension Optional: StoredValue where Wrapped: StoredValue {
    static var kind: StoreColumn.Kind { Wrapped.kind }
    static var isOptional: Bool { true }

    init?(stored: SQLValue) {
        let value = Wrapped(stored: stored)
        guard value != nil || stored.isNull else { return nil }
        self = value
    }

    var stored: SQLValue { self?.stored ?? .null(Wrapped.kind) }
}

/// A string with a type of its own.
extension StoredValue where Self: RawRepresentable, RawValue == String {
    static var kind: StoreColumn.Kind { .text }
    static var isOptional: Bool { false }

    init?(stored: SQLValue) {
        guard case .text(let text?) = stored else { return nil }
        self.init(rawValue: text)
    }

    var stored: SQLValue { .text(rawValue) }
}

extension AccountID: StoredValue {}
extension AuditID: StoredValue {}
extension ClientID: StoredValue {}
extension MailToken.Purpose: StoredValue {}
extension OutboxID: StoredValue {}
extension RefreshTokenID: StoredValue {}
extension SessionID: StoredValue {}
extension SignInMethod: StoredValue {}
extension TeamID: StoredValue {}
extension UserID: StoredValue {}
