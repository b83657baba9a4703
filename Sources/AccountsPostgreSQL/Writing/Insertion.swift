/// An insertion into a table: of one row, or of many by one statement, which costs the server little more.
struct Insertion: Hashable, Sendable {
    /// The statement for one row, with the columns' values as parameters.
    let single: String
    /// The statement for any number of rows, with an array of values for each column.
    let many: String
    private let types: [ColumnType]

    /// Describes an insertion.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - columns: the columns in the order of the values, each with its type.
    ///   - conflict: what to do about a row that is there already; without it the insertion fails.
    init(
        into table: String,
        _ columns: [(name: String, type: ColumnType)],
        onConflict conflict: String? = nil
    ) {
        let target = "INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", ")))"
        let end = conflict.map { " ON CONFLICT \($0)" } ?? ""
        types = columns.map(\.type)
        let values = columns.indices.map { "$\($0 + 1)" }
        single = "\(target) VALUES (\(values.joined(separator: ", ")))\(end)"
        // Hidden in questions of their own: a server that knew how long they are would plan anew each time.
        let arrays = zip(values, columns).map { "(SELECT \($0)::\($1.type.name)[])" }
        many = "\(target) SELECT * FROM unnest(\(arrays.joined(separator: ", ")))\(end)"
    }

    /// Inserts one row.
    func row(_ values: [StatementValue]) -> Statement {
        Statement(single, values, insertion: self)
    }

    fileprivate func rows(_ rows: [[StatementValue]]) -> Statement {
        guard rows.count > 1 else { return row(rows.first ?? []) }
        let values = types.enumerated().map { column, type in
            StatementValue.array(rows.map { $0[column] }, type)
        }
        return Statement(many, values)
    }
}

extension Statement {
    /// Puts lists of statements together, those that insert into the same table into one.
    ///
    /// - Parameter lists: the lists. The order within each of them is kept; between them it must not matter.
    /// - Returns: statements that do the same.
    static func together(_ lists: [[Statement]]) -> [Statement] {
        var rests = lists.map { $0[...] }
        var statements: [Statement] = []
        while true {
            for index in rests.indices {
                while let next = rests[index].first, next.insertion == nil {
                    statements.append(next)
                    rests[index].removeFirst()
                }
            }
            guard let insertion = rests.lazy.compactMap({ $0.first?.insertion }).first else {
                return statements
            }
            var rows: [[StatementValue]] = []
            for index in rests.indices {
                while let row = rests[index].first, row.insertion == insertion {
                    rows.append(row.values)
                    rests[index].removeFirst()
                }
            }
            statements.append(insertion.rows(rows))
        }
    }
}
