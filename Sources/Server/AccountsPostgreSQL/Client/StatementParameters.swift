import Accounts
import CPostgreSQL
import Foundation

extension SQLValue {
    fileprivate var type: ColumnType {
        switch self {
        case .text: .text
        case .integer: .integer
        case .boolean: .boolean
        case .bytes: .bytes
        }
    }

    /// Appends the value in PostgreSQL's binary format, and returns its number of bytes; nil for NULL.
    fileprivate func append(to buffer: inout [UInt8]) -> Int? {
        let start = buffer.count
        switch self {
        case .text(nil), .integer(nil), .bytes(nil): return nil
        case .text(let text?): buffer.append(contentsOf: text.utf8)
        case .integer(let number?):
            withUnsafeBytes(of: number.bigEndian) { buffer.append(contentsOf: $0) }
        case .boolean(let value): buffer.append(value ? 1 : 0)
        case .bytes(let bytes?): buffer.append(contentsOf: bytes)
        }
        return buffer.count - start
    }
}

/// The object identifiers of the types that columns and parameters have.
///
/// Source: [pg_type.dat](https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat)
enum ColumnType: Oid {
    case boolean = 16
    case bytes = 17
    case integer = 20
    case text = 25
}

extension Statement {
    /// Passes the parameters in libpq's form.
    func withParameters<Answer>(_ body: (StatementParameters) -> Answer) -> Answer {
        var buffer: [UInt8] = []
        var ranges: [(start: Int, count: Int)?] = []
        for value in values {
            let start = buffer.count
            ranges.append(value.append(to: &buffer).map { (start, $0) })
        }
        // An empty string is not NULL: it needs an address, even in an empty buffer.
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

/// Parameters in libpq's form, valid only during the call that receives them.
struct StatementParameters {
    let count: Int32
    let types: [Oid]
    let pointers: [UnsafePointer<CChar>?]
    let lengths: [Int32]
    let formats: [Int32]
}

extension Statement {
    /// The name under which the statement is prepared, unique to it on all connections.
    ///
    /// Behind a proxy that does not support prepared statements, a name may exist already or be missing, but must never
    /// belong to another statement. A proxy that supports them registers a name when it is sent, even if the server skips
    /// the statement, and closes the connection when a name is repeated; `count` makes the repetition unique.
    func name(afterPreparations count: Int) -> String {
        let parts = SecretHash(of: sql).bytes.prefix(16).map { String($0, radix: 16) }
        let name = "siwa_" + parts.joined(separator: "_")
        return count == 0 ? name : "\(name)_\(count)"
    }
}
