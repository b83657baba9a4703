import Accounts
import CPostgreSQL
import Foundation

/// What a statement gave: copied out of libpq's memory in one piece, so that any task can read it.
///
/// An object and not a value: each of its rows refers to it, and hundreds of them go from hand to hand at the same time.
final class Rows: Sendable {
    /// How many rows a statement changed.
    let affectedCount: Int
    /// What the server calls the statement that it carried out, such as `COMMIT`.
    let tag: String
    let count: Int
    fileprivate let types: [Oid]
    fileprivate let bytes: [UInt8]
    /// Where each value is; negative lengths stand for NULL.
    fileprivate let cells: [(start: Int32, length: Int32)]

    init(_ result: OpaquePointer) {
        let rowCount = PQntuples(result)
        let columnCount = PQnfields(result)
        var bytes: [UInt8] = []
        var cells: [(start: Int32, length: Int32)] = []
        cells.reserveCapacity(Int(rowCount * columnCount))
        for row in 0..<rowCount {
            for column in 0..<columnCount {
                guard PQgetisnull(result, row, column) == 0,
                    let value = PQgetvalue(result, row, column)
                else {
                    cells.append((0, -1))
                    continue
                }
                let length = PQgetlength(result, row, column)
                cells.append((Int32(bytes.count), length))
                bytes.append(contentsOf: UnsafeRawBufferPointer(start: value, count: Int(length)))
            }
        }
        count = Int(rowCount)
        types = (0..<columnCount).map { PQftype(result, $0) }
        self.bytes = bytes
        self.cells = cells
        tag = PQcmdStatus(result).map { String(cString: $0) } ?? ""
        affectedCount = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    private init(_ indices: [Int], of rows: Rows) {
        let width = rows.types.count
        count = indices.count
        affectedCount = indices.count
        tag = rows.tag
        types = Array(rows.types.dropFirst())
        bytes = rows.bytes
        cells = indices.flatMap { rows.cells[($0 * width + 1)..<($0 + 1) * width] }
    }

    /// The rows of each of those who share a statement, without the column that tells whose they are.
    ///
    /// - Parameter count: how many share it.
    /// - Returns: the rows of each, which may be none.
    /// - Throws: `AccountStoreError` when a row is nobody's.
    func parts(_ count: Int) throws(AccountStoreError) -> [Rows] {
        var indices = [[Int]](repeating: [], count: count)
        for index in 0..<self.count { indices[try owner(of: index, among: count)].append(index) }
        return indices.map { Rows($0, of: self) }
    }

    /// Whose a row of a shared statement is, by its first column, which counts from one.
    ///
    /// - Parameters:
    ///   - index: the row.
    ///   - count: how many share the statement.
    /// - Returns: whose it is, from zero.
    /// - Throws: `AccountStoreError` when it is nobody's.
    func owner(of index: Int, among count: Int) throws(AccountStoreError) -> Int {
        let position = try self[index].count(0)
        guard (1...count).contains(position) else {
            throw AccountStoreError(.failed, hint: "PostgreSQL: a row belongs to nobody who asked")
        }
        return position - 1
    }

    /// The first row.
    var first: Row? { count > 0 ? self[0] : nil }

    subscript(index: Int) -> Row { Row(rows: self, index: index) }

    func map<Answer>(
        _ read: (Row) throws(AccountStoreError) -> Answer
    ) throws(AccountStoreError) -> [Answer] {
        var answers: [Answer] = []
        answers.reserveCapacity(count)
        for index in 0..<count { answers.append(try read(self[index])) }
        return answers
    }
}

/// One row, whose values are read by position and have to be of the type that is asked for.
struct Row {
    fileprivate let rows: Rows
    fileprivate let index: Int

    func text(_ column: Int) throws(AccountStoreError) -> String {
        try present(optionalText(column), column)
    }

    func optionalText(_ column: Int) throws(AccountStoreError) -> String? {
        try value(column, .text).map { String(decoding: $0, as: UTF8.self) }
    }

    func integer(_ column: Int) throws(AccountStoreError) -> Int64 {
        try present(optionalInteger(column), column)
    }

    func optionalInteger(_ column: Int) throws(AccountStoreError) -> Int64? {
        try value(column, .integer).map { $0.reduce(0) { $0 << 8 | Int64($1) } }
    }

    func count(_ column: Int) throws(AccountStoreError) -> Int {
        Int(try integer(column))
    }

    func boolean(_ column: Int) throws(AccountStoreError) -> Bool {
        try present(value(column, .boolean), column).first == 1
    }

    func hash(_ column: Int) throws(AccountStoreError) -> SecretHash {
        try present(optionalHash(column), column)
    }

    func optionalHash(_ column: Int) throws(AccountStoreError) -> SecretHash? {
        try optionalBytes(column).map { SecretHash(bytes: $0) }
    }

    func optionalBytes(_ column: Int) throws(AccountStoreError) -> Data? {
        try value(column, .bytes).map { Data($0) }
    }

    func date(_ column: Int) throws(AccountStoreError) -> Date {
        Date(microseconds: try integer(column))
    }

    func optionalDate(_ column: Int) throws(AccountStoreError) -> Date? {
        try optionalInteger(column).map(Date.init(microseconds:))
    }

    private func value(
        _ column: Int,
        _ type: ColumnType
    ) throws(AccountStoreError) -> ArraySlice<UInt8>? {
        guard rows.types[column] == type.rawValue else {
            throw AccountStoreError(
                .failed,
                hint: "column \(column) of a query is not of the type \(type)"
            )
        }
        let (start, length) = rows.cells[index * rows.types.count + column]
        guard length >= 0 else { return nil }
        return rows.bytes[Int(start)..<Int(start + length)]
    }

    private func present<Value>(
        _ value: Value?,
        _ column: Int
    ) throws(AccountStoreError) -> Value {
        guard let value else {
            throw AccountStoreError(.failed, hint: "column \(column) of a query is NULL")
        }
        return value
    }
}
