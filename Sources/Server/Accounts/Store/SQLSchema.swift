/// The steps that created the tables, by their names in the database; a released one never changes.
enum SchemaStep: String, CaseIterable, Sendable {
    case firstTables = "first tables"
    case tokenKeys = "keys of access tokens"
    case administration
}

/// The tables of the accounts database.
///
/// Times are whole microseconds since 1970, identifiers are strings, and hashes are 32 bytes.
package struct SQLSchema {
    /// One step of the schema.
    package struct Migration: Sendable {
        package let name: String
        package let statements: [String]
    }

    private let dialect: SQLDialect

    package init(_ dialect: SQLDialect) {
        self.dialect = dialect
    }

    /// The steps in order.
    package var migrations: [Migration] {
        let tables = StoreTable.all + Tables.ofTheDatabase.map(\.definition)
        return SchemaStep.allCases.map { step in
            Migration(
                name: step.rawValue,
                statements: tables.flatMap { $0.statements(of: step, dialect) }
                    + (step == .firstTables ? [databaseName] : [])
            )
        }
    }

    /// The name by which an unfinished copy recognizes its source.
    private var databaseName: String {
        "INSERT INTO store_identity (id, name) VALUES (1, \(dialect.randomText))"
    }
}
