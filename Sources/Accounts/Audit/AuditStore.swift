import Foundation

/// Where the audit log is kept: beside the accounts, so that an entry and what it tells of are one transaction.
///
/// An entry waits first, which costs no more than its row. Some seconds later it becomes part of the chain, together
/// with others: were the chain part of each transaction, all of them would wait for each other.
public protocol AuditStore: Sendable {
    /// Writes entries that belong to no other change.
    ///
    /// - Parameter entries: the entries; one that is there already is not written twice.
    /// - Throws: `AccountStoreError`.
    func record(_ entries: [AuditEntry]) async throws(AccountStoreError)

    /// Lists entries, in the chain or not, by their names.
    ///
    /// - Parameter query: which entries.
    /// - Returns: the entries.
    /// - Throws: `AccountStoreError`.
    func auditEntries(
        _ query: AuditQuery
    ) async throws(AccountStoreError) -> [AuditRecord]

    /// Reads some of the chain, as it is at one moment.
    ///
    /// - Parameters:
    ///   - number: behind which entry; nil for where the chain begins.
    ///   - maximumCount: how many entries.
    ///   - asked: the number of one more entry, whose place is wanted.
    /// - Returns: the entries, and what vouches for them.
    /// - Throws: `AccountStoreError`.
    func auditPart(
        after number: Int?,
        maximumCount: Int,
        asked: Int?
    ) async throws(AccountStoreError) -> AuditPart

    /// Makes entries that wait part of the chain, by the rule of `AuditSealing`.
    ///
    /// - Parameter sealing: the keys, and how many.
    /// - Returns: the new end of the chain, or what is wrong with it.
    /// - Throws: `AccountStoreError`.
    func seal(_ sealing: AuditSealing) async throws(AccountStoreError) -> AuditSealingOutcome

    /// Forgets old entries, by the rule of `AuditExpiry`.
    ///
    /// - Parameter expiry: which ones.
    /// - Returns: how many are gone, or what is wrong with the chain.
    /// - Throws: `AccountStoreError`.
    func forget(_ expiry: AuditExpiry) async throws(AccountStoreError) -> AuditExpiryOutcome
}

/// Which entries of the audit log somebody wants to see.
public struct AuditQuery: Hashable, Sendable {
    /// How many entries one answer may have.
    public static let maximumCount = 1000

    /// The account that they are about; nil for all.
    public let account: AccountID?
    /// The entry behind which the list begins; nil for the beginning.
    public let after: AuditID?
    /// How many entries the answer may have.
    public let count: Int
    /// Whether the latest entries come first.
    public let isLatestFirst: Bool

    /// Makes a query; a count out of its limits is brought into them.
    ///
    /// - Parameters:
    ///   - account: the account that they are about.
    ///   - after: the entry behind which the list begins.
    ///   - count: how many entries the answer may have.
    ///   - isLatestFirst: whether the latest entries come first; then there is no entry to begin behind.
    public init(
        account: AccountID? = nil,
        after: AuditID? = nil,
        count: Int = 100,
        isLatestFirst: Bool = false
    ) {
        self.account = account
        self.after = isLatestFirst ? nil : after
        self.count = min(max(count, 1), Self.maximumCount)
        self.isLatestFirst = isLatestFirst
    }
}

/// An entry as a list shows it.
public struct AuditRecord: Hashable, Sendable {
    /// Its number in the chain; nil while it waits.
    public let number: Int?
    /// A word of `AuditProof`; nil while it waits.
    public let proof: String?
    /// The entry.
    public let entry: AuditEntry

    /// Describes an entry.
    ///
    /// - Parameters:
    ///   - number: its number in the chain.
    ///   - proof: what was found of it before.
    ///   - entry: the entry.
    public init(number: Int?, proof: String?, entry: AuditEntry) {
        self.number = number
        self.proof = proof
        self.entry = entry
    }
}
