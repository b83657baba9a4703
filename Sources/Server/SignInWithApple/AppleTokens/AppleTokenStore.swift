import Foundation

/// Where your server keeps what ``AppleTokens`` knows of each user: one row for each, in your own database.
///
/// A value of this type belongs to one transaction, or to none: create it from the transaction in which you change the
/// account. A row has four columns beside its key, and only ``AppleTokenRecord/dueAt`` needs an index. Two changes of one
/// row are told apart by ``AppleTokenRecord/version``. A store needs no locks.
///
/// `checkAppleTokenStore` of `AppleEmulatorTesting` tests a store.
public protocol AppleTokenStore: Sendable {
    /// Returns the record of a user.
    ///
    /// - Parameter person: the key of the record.
    /// - Returns: the record; nil if there is none.
    /// - Throws: an error of the database.
    func record(of person: String) async throws -> AppleTokenRecord?

    /// Replaces a record, unless another transaction has changed it.
    ///
    /// - Parameters:
    ///   - old: the record as it was read, of which only the key and the version count; nil to insert one.
    ///   - new: the record to store; nil to delete the old one.
    /// - Returns: false if the stored record has another version. You may also throw.
    /// - Throws: an error of the database.
    func replace(_ old: AppleTokenRecord?, with new: AppleTokenRecord?) async throws -> Bool

    /// Returns the records that are due, the one that has waited longest first.
    ///
    /// - Parameters:
    ///   - now: the time up to which records are due.
    ///   - maximumCount: the maximum number of records.
    /// - Returns: the records.
    /// - Throws: an error of the database.
    func dueRecords(at now: Date, maximumCount: Int) async throws -> [AppleTokenRecord]

    /// Counts the records whose ``AppleTokenRecord/isRefused`` is true, for a gauge.
    ///
    /// - Returns: their number.
    /// - Throws: an error of the database.
    func refusedCount() async throws -> Int

    /// Runs a function in a transaction of its own; an error of the function undoes its changes.
    ///
    /// - Parameter body: the function, which gets a store for the transaction.
    /// - Throws: the error of the function, or of the database.
    func transaction(_ body: @escaping @concurrent @Sendable (Self) async throws -> Void)
        async throws
}

/// What ``AppleTokens`` knows of one user, as a row of your database.
public struct AppleTokenRecord: Hashable, Sendable, Codable {
    /// The key: a hash of the issuer and the user, 64 characters.
    public let person: String
    /// A random value, another one after each change; 32 characters.
    public let version: String
    /// When the record needs work: a validation, a revocation or its own deletion.
    public let dueAt: Date
    /// Whether Apple refused the latest request about a token for a reason that is not the user's.
    public let isRefused: Bool
    /// The rest as JSON, in which refresh tokens are encrypted; usually below two kilobytes.
    public let content: String

    /// Creates a record from a row.
    ///
    /// - Parameters:
    ///   - person: the key.
    ///   - version: the version.
    ///   - dueAt: when the record needs work.
    ///   - isRefused: whether Apple refused the latest request.
    ///   - content: the rest.
    public init(person: String, version: String, dueAt: Date, isRefused: Bool, content: String) {
        self.person = person
        self.version = version
        self.dueAt = dueAt
        self.isRefused = isRefused
        self.content = content
    }
}
