import Synchronization

/// Whether the store was writable at the latest check.
package final class StoreReadiness: Sendable {
    private enum Finding {
        case untried
        case found(AccountStoreError?)
    }

    private let finding = Mutex(Finding.untried)

    /// Creates the state before the first check.
    package init() {}

    /// Why the store was not writable; nil when it was, or before the first check.
    var failure: AccountStoreError? {
        finding.withLock {
            guard case .found(let failure) = $0 else { return nil }
            return failure
        }
    }

    var isUntried: Bool {
        finding.withLock {
            guard case .untried = $0 else { return false }
            return true
        }
    }

    func found(_ failure: AccountStoreError?) {
        finding.withLock { $0 = .found(failure) }
    }
}
