import Accounts

/// An account store in an SQL database: it reads the facts of a rule together and writes the rule's decision.
///
/// A conforming store provides the database and the lookup of a session.
package protocol SQLAccountStore: AccountStore, CopyableStore {
    associatedtype Database: SQLDatabase

    var database: Database { get }
}
