import Synchronization

/// Whether the store could be written to when that was last tried.
package final class StoreReadiness: Sendable {
    private enum Finding {
        case untried
        case found(AccountStoreError?)
    }

    private let finding = Mutex(Finding.untried)

    /// Makes a finding that nothing has been tried yet.
    package init() {}

    /// Why the store could not be written to; nil when it could, or when nothing has been tried.
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
