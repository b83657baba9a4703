import Accounts

@testable import AccountsPostgreSQL

extension AccountStore {
    /// The database server of a store; only stores of servers have one.
    var postgreSQL: PostgreSQLDatabase {
        guard let server = database as? PostgreSQLDatabase else {
            preconditionFailure("no database server")
        }
        return server
    }
}
