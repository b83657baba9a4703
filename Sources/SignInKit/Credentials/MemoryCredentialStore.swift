import AppleIdentity
import Foundation

/// Keeps records as long as it lives, for previews and tests.
public final class MemoryCredentialStore: CredentialStore {
    private struct State: Sendable {
        var records: [CredentialRecord: Data] = [:]
        var isLocked = false
        var isFull = false
    }

    private let state = LockedValue(State())

    /// Makes an empty store.
    public init() {}

    /// Whether it refuses, as on a locked device.
    public var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    /// Whether it refuses to write, as on a full disk.
    public var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Reads a record.
    ///
    /// - Parameter record: which one.
    /// - Returns: what was written last.
    /// - Throws: ``CredentialStoreError/locked``.
    public func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data? {
        try state.withLock { state throws(CredentialStoreError) in
            guard !state.isLocked else { throw .locked }
            return state.records[record]
        }
    }

    /// Replaces a record.
    ///
    /// - Parameters:
    ///   - data: what to keep.
    ///   - record: which one.
    /// - Throws: ``CredentialStoreError``.
    public func write(
        _ data: Data,
        to record: CredentialRecord
    ) async throws(CredentialStoreError) {
        guard data.count <= CredentialRecord.maximumByteCount else { throw .tooLarge }
        try state.withLock { state throws(CredentialStoreError) in
            guard !state.isLocked else { throw .locked }
            guard !state.isFull else { throw .failed("no space is left") }
            state.records[record] = data
        }
    }

    /// Removes a record.
    ///
    /// - Parameter record: which one.
    /// - Throws: ``CredentialStoreError/locked``.
    public func remove(_ record: CredentialRecord) async throws(CredentialStoreError) {
        try state.withLock { state throws(CredentialStoreError) in
            guard !state.isLocked else { throw .locked }
            state.records[record] = nil
        }
    }
}
