import CPostgreSQL
import Foundation

/// A parameter of a statement, sent in PostgreSQL's binary format.
enum StatementValue: Hashable, Sendable {
    case text(String?)
    case integer(Int64?)
    case boolean(Bool)
    case bytes(Data?)
    case byteArrays([Data])

    /// A count or a limit.
    static func count(_ count: Int) -> StatementValue { .integer(Int64(count)) }

    var type: ColumnType {
        switch self {
        case .text: .text
        case .integer: .integer
        case .boolean: .boolean
        case .bytes: .bytes
        case .byteArrays: .byteArrays
        }
    }

    /// The bytes of the value; nil for NULL.
    func append(to buffer: inout [UInt8]) -> Int? {
        let start = buffer.count
        switch self {
        case .text(nil), .integer(nil), .bytes(nil): return nil
        case .text(let text?): buffer.append(contentsOf: text.utf8)
        case .integer(let number?):
            withUnsafeBytes(of: number.bigEndian) { buffer.append(contentsOf: $0) }
        case .boolean(let isSo): buffer.append(isSo ? 1 : 0)
        case .bytes(let bytes?): buffer.append(contentsOf: bytes)
        case .byteArrays(let elements): Self.append(elements, to: &buffer)
        }
        return buffer.count - start
    }

    /// One dimension, no NULL, the type of the elements, how many, the number of the first; then each with its length.
    ///
    /// Source: [array_recv](https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/arrayfuncs.c)
    private static func append(_ elements: [Data], to buffer: inout [UInt8]) {
        func append(_ number: Int) {
            withUnsafeBytes(of: Int32(number).bigEndian) { buffer.append(contentsOf: $0) }
        }
        for number in [1, 0, Int(ColumnType.bytes.rawValue), elements.count, 1] { append(number) }
        for element in elements {
            append(element.count)
            buffer.append(contentsOf: element)
        }
    }
}

/// The types of all columns and parameters, by PostgreSQL's numbers for them.
///
/// Source: [pg_type.dat](https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat)
enum ColumnType: Oid {
    case boolean = 16
    case bytes = 17
    case integer = 20
    case text = 25
    case byteArrays = 1001
}

/// A statement and its parameters.
struct Statement: Hashable, Sendable {
    let sql: String
    let values: [StatementValue]
    /// Whether the server keeps its plan for the next time; not worth it for what has no plan.
    let isPrepared: Bool

    init(_ sql: String, _ values: [StatementValue] = [], isPrepared: Bool = true) {
        self.sql = sql
        self.values = values
        self.isPrepared = isPrepared
    }

    /// A statement without plan and parameters, such as `COMMIT`.
    static func command(_ sql: String) -> Statement { Statement(sql, isPrepared: false) }

    /// Lends the parameters as libpq takes them.
    func withParameters<Answer>(_ body: (StatementParameters) -> Answer) -> Answer {
        var buffer: [UInt8] = []
        var ranges: [(start: Int, count: Int)?] = []
        for value in values {
            let start = buffer.count
            ranges.append(value.append(to: &buffer).map { (start, $0) })
        }
        // An empty text is no NULL: its address has to be one, even in an empty buffer.
        buffer.append(0)
        return buffer.withUnsafeBytes { bytes in
            let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            let pointers = ranges.map { range in range.flatMap { start?.advanced(by: $0.start) } }
            return body(
                StatementParameters(
                    count: Int32(values.count),
                    types: values.map(\.type.rawValue),
                    pointers: pointers,
                    lengths: ranges.map { Int32($0?.count ?? 0) },
                    formats: values.map { _ in 1 }
                )
            )
        }
    }
}

/// Parameters as libpq takes them; good only while they are lent.
struct StatementParameters {
    let count: Int32
    let types: [Oid]
    let pointers: [UnsafePointer<CChar>?]
    let lengths: [Int32]
    let formats: [Int32]
}
