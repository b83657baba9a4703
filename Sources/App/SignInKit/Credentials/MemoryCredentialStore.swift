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

    /// Creates an empty store.
    public init() {}

    /// Set to true to make every call throw ``CredentialStoreError/locked``.
    public var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    /// Set to true to make ``write(_:to:)`` throw ``CredentialStoreError/failed(_:)``.
    public var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Reads a record, as ``CredentialStore/read(_:)`` says.
    public func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data? {
        try state.withLock { state throws(CredentialStoreError) in
            guard !state.isLocked else { throw .locked }
            return state.records[record]
        }
    }

    /// Replaces a record, as ``CredentialStore/write(_:to:)`` says.
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

    /// Removes a record, as ``CredentialStore/remove(_:)`` says.
    public func remove(_ record: CredentialRecord) async throws(CredentialStoreError) {
        try state.withLock { state throws(CredentialStoreError) in
            guard !state.isLocked else { throw .locked }
            state.records[record] = nil
        }
    }

    /// Sets a record, even on a locked device.
    func set(_ data: Data?, for record: CredentialRecord) {
        state.withLock { $0.records[record] = data }
    }
}
