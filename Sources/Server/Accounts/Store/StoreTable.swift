import Foundation

/// A column of a table.
package struct StoreColumn: Hashable, Sendable {
    /// The type of a column's values, for which each database has its own name.
    package enum Kind: Hashable, Sendable {
        case text
        case integer
        case boolean
        case bytes
    }

    package let name: String
    /// The type of its values.
    package let kind: Kind
    /// Whether its values may be NULL.
    package let isOptional: Bool
    /// Whether it belongs to the primary key.
    package let isKey: Bool
    /// What follows the type in SQL, such as a default or a reference.
    let rule: String
    /// The step that added it; nil for the step of the table.
    let step: SchemaStep?
}

/// An index of a table.
struct StoreIndex: Sendable {
    let name: String
    let columns: String
    /// The condition of the rows that it contains; nil for all rows.
    var condition: String?
    var isUnique = false
    /// The step that added it; nil for the step of the table.
    var step: SchemaStep?

    init(
        _ name: String,
        on columns: String,
        where condition: String? = nil,
        isUnique: Bool = false,
        since step: SchemaStep? = nil
    ) {
        self.name = name
        self.columns = columns
        self.condition = condition
        self.isUnique = isUnique
        self.step = step
    }

    fileprivate func creation(on table: String) -> String {
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table) (\(columns))"
            + (condition.map { " WHERE \($0)" } ?? "")
    }
}

/// A table without the type of its records, as the schema and a copy use it.
package struct StoreTable: Sendable {
    package let name: String
    /// All columns, those of the primary key first.
    package let columns: [StoreColumn]
    /// The columns that are unique together.
    let uniqueColumns: String?
    let indexes: [StoreIndex]
    /// The step that created it.
    let step: SchemaStep

    /// The columns of the primary key, by which rows are ordered.
    package var key: [StoreColumn] { columns.filter(\.isKey) }

    /// The tables of a copy; a table comes after those that it refers to.
    package static let all: [StoreTable] = Tables.all.map(\.definition)

    /// The values of a row's key.
    package func key(of row: StoreRow) -> StoreRow { Array(row.prefix(key.count)) }
}

/// The values of a row, in the order of its table's columns.
package typealias StoreRow = [SQLValue]

extension StoreTable {
    /// The statements that create the table, or add what a step has added to it.
    func statements(of step: SchemaStep, _ dialect: SQLDialect) -> [String] {
        let added = columns.filter { ($0.step ?? self.step) == step }.map {
            definition($0, dialect)
        }
        let indexes = indexes.filter { ($0.step ?? self.step) == step }
            .map { $0.creation(on: name) }
        guard step == self.step else {
            return added.map { "ALTER TABLE \(name) ADD COLUMN \($0)" } + indexes
        }
        let keyRule = key.count > 1 ? ["PRIMARY KEY (\(key.names))"] : []
        let uniqueRule = uniqueColumns.map { ["UNIQUE (\($0))"] } ?? []
        let parts = (added + keyRule + uniqueRule).joined(separator: ",\n    ")
        return ["CREATE TABLE \(name) (\n    \(parts)\n)\(dialect.tableOptions)"] + indexes
    }

    private func definition(_ column: StoreColumn, _ dialect: SQLDialect) -> String {
        let isWholeKey = column.isKey && key.count == 1
        let words = [
            column.name, dialect.type(column.kind),
            isWholeKey ? "PRIMARY KEY" : column.isOptional ? "" : "NOT NULL", column.rule,
        ]
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension [StoreColumn] {
    /// The names as a list.
    var names: String { map(\.name).joined(separator: ", ") }
}
