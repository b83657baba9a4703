import Synchronization

/// Whether the store was writable at the latest check.
package final class StoreReadiness: Sendable {
    private let state = Mutex<(isUntried: Bool, failure: AccountStoreError?)>((true, nil))

    /// Creates the state before the first check.
    package init() {}

    /// Why the store was not writable; nil when it was, or before the first check.
    var failure: AccountStoreError? { state.withLock(\.failure) }

    var isUntried: Bool { state.withLock(\.isUntried) }

    func found(_ failure: AccountStoreError?) { state.withLock { $0 = (false, failure) } }
}
