import AppleIdentity
import Foundation

/// A store in memory and, if you name one, in a file: for a demo of one process.
///
/// A change of it is not atomic with a change of your accounts, so use your own database in production.
public final class DemoAppleTokenStore: AppleTokenStore {
    private struct Change {
        let old: AppleTokenRecord?
        var new: AppleTokenRecord?
    }

    private let records: LockedValue<[String: AppleTokenRecord]>
    /// What a transaction has changed; nil outside of one.
    private let changes: LockedValue<[String: Change]>?
    private let file: URL?

    /// Creates a store.
    ///
    /// - Parameter file: the file, which is read now and replaced with each change; nil for none.
    /// - Throws: an error of the file system, or of a file that is not such a store.
    public init(file: URL? = nil) throws {
        var known: [String: AppleTokenRecord] = [:]
        if let file, FileManager.default.fileExists(atPath: file.path) {
            known = try JSONDecoder().decode(type(of: known), from: Data(contentsOf: file))
        }
        records = LockedValue(known)
        changes = nil
        self.file = file
    }

    private init(transactionOf other: DemoAppleTokenStore) {
        records = other.records
        changes = LockedValue([:])
        file = other.file
    }

    /// Returns the record of a user.
    public func record(of person: String) -> AppleTokenRecord? {
        if let change = changes?.withLock({ $0[person] }) { return change.new }
        return records.withLock { $0[person] }
    }

    /// Replaces a record, unless it has another version.
    public func replace(
        _ old: AppleTokenRecord?,
        with new: AppleTokenRecord?
    ) throws -> Bool {
        guard let person = (old ?? new)?.person else { return true }
        let stored = record(of: person)
        guard stored?.version == old?.version else { return false }
        guard let changes else { return try commit([person: Change(old: old, new: new)]) }
        changes.withLock { $0[person, default: Change(old: stored, new: nil)].new = new }
        return true
    }

    /// Returns the due records.
    public func dueRecords(at now: Date, maximumCount: Int) -> [AppleTokenRecord] {
        let due = records.withLock { $0.values.filter { $0.dueAt <= now } }
        return Array(due.sorted { $0.dueAt < $1.dueAt }.prefix(maximumCount))
    }

    /// Counts the refused records.
    public func refusedCount() -> Int {
        records.withLock { $0.values.count(where: \.isRefused) }
    }

    /// Runs a function whose changes are stored together at its end.
    public func transaction(
        _ body: @escaping @concurrent @Sendable (DemoAppleTokenStore) async throws -> Void
    ) async throws {
        let transaction = DemoAppleTokenStore(transactionOf: self)
        try await body(transaction)
        let changes = transaction.changes?.withLock(\.self) ?? [:]
        guard try commit(changes) else { throw AppleTokenError.conflict }
    }

    private func commit(_ changes: [String: Change]) throws -> Bool {
        try records.withLock { records in
            guard changes.allSatisfy({ records[$0]?.version == $1.old?.version }) else {
                return false
            }
            let changed = records.merging(changes.compactMapValues(\.new)) { $1 }
                .filter { changes[$0.key].map { $0.new != nil } ?? true }
            if let file { try JSONEncoder().encode(changed).write(to: file, options: .atomic) }
            records = changed
            return true
        }
    }
}
