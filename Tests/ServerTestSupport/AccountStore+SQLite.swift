import Accounts
import GRDB

@testable import AccountsSQLite

extension AccountStore {
    /// The file of a store; only stores of files have one.
    package var sqlite: SQLiteDatabase {
        guard let file = database as? SQLiteDatabase else { preconditionFailure("no SQLite file") }
        return file
    }

    /// The connection that writes, which a test makes fail or reads stored rows with.
    package var queue: DatabaseQueue { sqlite.writer.queue }
}
