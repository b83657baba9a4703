import Accounts
import CPostgreSQL
import Foundation

extension SQLRows {
    /// Copies a statement's result from libpq's memory.
    init(_ result: OpaquePointer) {
        let columns = 0..<PQnfields(result)
        let rows = (0..<PQntuples(result)).map { row in
            SQLRow(columns.map { SQLValue(result, row, $0) })
        }
        self.init(
            rows,
            affectedCount: PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0,
            command: PQcmdStatus(result).map { String(cString: $0) } ?? ""
        )
    }
}

extension SQLValue {
    fileprivate init(_ result: OpaquePointer, _ row: Int32, _ column: Int32) {
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column)
        else {
            self = .text(nil)
            return
        }
        let bytes = UnsafeRawBufferPointer(
            start: start,
            count: Int(PQgetlength(result, row, column))
        )
        switch ColumnType(rawValue: PQftype(result, column)) {
        case .boolean: self = .boolean(bytes.first == 1)
        case .integer: self = .integer(bytes.reduce(0) { $0 << 8 | Int64($1) })
        case .text: self = .text(String(decoding: bytes, as: UTF8.self))
        // A value of an unknown type fails when it is read.
        case .bytes, nil: self = .bytes(Data(bytes))
        }
    }
}
