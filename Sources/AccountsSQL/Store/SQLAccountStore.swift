import Accounts

/// Accounts in an SQL database: the facts of a rule are asked together, and what it decides is written.
///
/// A conforming store has the database, and how it looks a session up.
package protocol SQLAccountStore: AccountStore, CopyableStore {
    associatedtype Database: SQLDatabase

    var database: Database { get }
}
