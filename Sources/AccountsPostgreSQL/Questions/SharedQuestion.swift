import Accounts
import Synchronization

/// A question of many calls, whose statements that differ in their values alone are asked by one statement.
///
/// Each statement costs the server the start of a plan and the description of its rows, whatever it finds.
struct SharedQuestion: Sendable {
    /// Whose part of which answer a statement of the question gets.
    private struct Place: Sendable {
        let answer: Int
        let position: Int
    }

    /// The statements that are sent.
    let statements: [Statement]
    /// How many share each of them.
    private let counts: [Int]
    private var places: [Place] = []

    /// Puts the statements of a question together.
    init(_ question: Question) {
        var groups: [[Statement]] = []
        for statement in question.statements {
            // There are a handful of them: to compare their texts is cheaper than to hash each.
            let known = groups.firstIndex { $0[0].sql == statement.sql }
            guard let known, Self.canBeShared(statement) else {
                places.append(Place(answer: groups.count, position: 0))
                groups.append([statement])
                continue
            }
            places.append(Place(answer: known, position: groups[known].count))
            groups[known].append(statement)
        }
        counts = groups.map(\.count)
        statements = groups.map { $0.count == 1 ? $0[0] : Self.shared($0) }
    }

    /// Gives each statement of the question its rows.
    ///
    /// Those of a shared one come in an order of their own.
    ///
    /// - Parameter answers: what the statements that were sent gave.
    /// - Returns: the answers to the question.
    /// - Throws: `AccountStoreError` when a row is nobody's.
    func answers(_ answers: Answers) throws(AccountStoreError) -> Answers {
        var parts: [[Rows]] = []
        for (rows, count) in zip(answers.rows, counts) {
            parts.append(count == 1 ? [rows] : try rows.parts(count))
        }
        return Answers(rows: places.map { parts[$0.answer][$0.position] })
    }

    private static func canBeShared(_ statement: Statement) -> Bool {
        !statement.values.isEmpty && statement.isPrepared
            && statement.values.allSatisfy { !$0.isArray }
    }
}

extension SharedQuestion {
    private static let texts = Mutex<[String: String]>([:])

    private static func shared(_ statements: [Statement]) -> Statement {
        let types = statements[0].values.map(\.type)
        return Statement(
            text(statements[0].sql, types),
            types.enumerated().map { index, type in
                .array(statements.map { $0.values[index] }, type)
            }
        )
    }

    /// The statement for many; there are at most as many of them as the project has statements.
    private static func text(_ sql: String, _ types: [ColumnType]) -> String {
        if let text = texts.withLock({ $0[sql] }) { return text }
        let text = makeText(sql, types)
        texts.withLock { $0[sql] = text }
        return text
    }

    /// Asks the statement once for each caller.
    ///
    /// The arrays are hidden in questions of their own: a server that knew how long they are would plan anew each time. And
    /// each caller is answered separately (`OFFSET`): a plan that was made for a small table could join all of it, and a plan
    /// is kept.
    private static func makeText(_ sql: String, _ types: [ColumnType]) -> String {
        let arrays = types.enumerated().map { "(SELECT $\($0 + 1)::\($1.name)[])" }
        let names = types.indices.map { "value_\($0 + 1)" }
        let one = sql.replacing(/\$([0-9]+)/) { "wanted.value_\($0.1)" }
        return """
            SELECT wanted.position, answer.*
            FROM unnest(\(arrays.joined(separator: ", ")))
                WITH ORDINALITY AS wanted(\(names.joined(separator: ", ")), position)
            CROSS JOIN LATERAL (SELECT * FROM (\(one)) AS one OFFSET 0) AS answer
            """
    }
}
