import Accounts
import GRDB

extension AccountStoreError {
    /// Classifies an error of SQLite as temporary or permanent.
    init(_ error: any Error) {
        switch error {
        case let error as AccountStoreError: self = error
        case let error as DatabaseError:
            let kind: Kind = Self.passing.contains(error.resultCode) ? .unavailable : .failed
            self.init(kind, hint: "SQLite: \(error.resultCode) \(error.message ?? "")")
        case is CancellationError:
            self.init(.unavailable, hint: "the request was cancelled")
        default:
            self.init(.failed, hint: "\(type(of: error))")
        }
    }

    private static let passing: [ResultCode] = [
        .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_READONLY, .SQLITE_IOERR,
        .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_PROTOCOL, .SQLITE_INTERRUPT, .SQLITE_ABORT,
    ]
}
