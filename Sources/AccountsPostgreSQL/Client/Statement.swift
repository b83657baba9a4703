import Accounts
import CPostgreSQL
import Foundation

/// A parameter of a statement, sent in PostgreSQL's binary format.
enum StatementValue: Hashable, Sendable {
    case text(String?)
    case integer(Int64?)
    case boolean(Bool)
    case bytes(Data?)
    /// Values of one type, any of which may be NULL.
    case array([StatementValue], ColumnType)

    /// A count or a limit.
    static func count(_ count: Int) -> StatementValue { .integer(Int64(count)) }

    var type: ColumnType {
        switch self {
        case .text: .text
        case .integer: .integer
        case .boolean: .boolean
        case .bytes: .bytes
        case .array(_, let type): type.array
        }
    }

    var isArray: Bool {
        if case .array = self { true } else { false }
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
        case .array(let elements, let type): Self.append(elements, type, to: &buffer)
        }
        return buffer.count - start
    }

    /// One dimension, whether there is a NULL, the type of the elements, how many, the number of the first; then each
    /// with its length.
    ///
    /// Source: [array_recv](https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/arrayfuncs.c)
    private static func append(
        _ elements: [StatementValue],
        _ type: ColumnType,
        to buffer: inout [UInt8]
    ) {
        append(1, to: &buffer)
        append(1, to: &buffer)
        append(Int32(type.rawValue), to: &buffer)
        append(Int32(elements.count), to: &buffer)
        append(1, to: &buffer)
        for element in elements {
            let start = buffer.count
            append(-1, to: &buffer)
            guard let count = element.append(to: &buffer) else { continue }
            withUnsafeBytes(of: Int32(count).bigEndian) { bytes in
                for index in bytes.indices { buffer[start + index] = bytes[index] }
            }
        }
    }

    private static func append(_ number: Int32, to buffer: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { buffer.append(contentsOf: $0) }
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
    case booleanArray = 1000
    case byteArray = 1001
    case textArray = 1009
    case integerArray = 1016

    /// The type's name in a statement; of an array that of its elements.
    var name: String {
        switch self {
        case .boolean, .booleanArray: "boolean"
        case .bytes, .byteArray: "bytea"
        case .integer, .integerArray: "bigint"
        case .text, .textArray: "text"
        }
    }

    /// The type of arrays of such values; there are none of arrays.
    var array: ColumnType {
        switch self {
        case .boolean, .booleanArray: .booleanArray
        case .bytes, .byteArray: .byteArray
        case .integer, .integerArray: .integerArray
        case .text, .textArray: .textArray
        }
    }
}

/// A statement and its parameters.
struct Statement: Hashable, Sendable {
    let sql: String
    let values: [StatementValue]
    /// Whether the server keeps its plan for the next time; not worth it for what has no plan.
    let isPrepared: Bool
    /// What it inserts a row by, which others like it may do together with it.
    let insertion: Insertion?

    init(
        _ sql: String,
        _ values: [StatementValue] = [],
        isPrepared: Bool = true,
        insertion: Insertion? = nil
    ) {
        self.sql = sql
        self.values = values
        self.isPrepared = isPrepared
        self.insertion = insertion
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

extension Statement {
    /// A name under which it is prepared, and that no other statement has, on any connection.
    ///
    /// Behind a proxy that does not follow names, one may be known already, or not at all; it must never be another
    /// statement's. One that follows names knows each from when it was sent, also when the server has passed the statement
    /// over, and ends the connection on which a name comes twice.
    func name(afterPreparations count: Int) -> String {
        let parts = SecretHash(of: sql).bytes.prefix(16).map { String($0, radix: 16) }
        let name = "siwa_" + parts.joined(separator: "_")
        return count == 0 ? name : "\(name)_\(count)"
    }
}
