import Accounts
import AccountsSQL
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

    /// Appends the value in PostgreSQL's binary format.
    ///
    /// - Returns: how many bytes there are; nil for NULL.
    fileprivate func append(to buffer: inout [UInt8]) -> Int? {
        let start = buffer.count
        switch self {
        case .text(nil), .integer(nil), .bytes(nil): return nil
        case .text(let text?): buffer.append(contentsOf: text.utf8)
        case .integer(let number?):
            withUnsafeBytes(of: number.bigEndian) { buffer.append(contentsOf: $0) }
        case .boolean(let isSo): buffer.append(isSo ? 1 : 0)
        case .bytes(let bytes?): buffer.append(contentsOf: bytes)
        }
        return buffer.count - start
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
}

extension Statement {
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
