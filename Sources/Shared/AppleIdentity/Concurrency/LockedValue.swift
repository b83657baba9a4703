import Foundation

/// A value that several threads share, protected by a lock.
///
/// `Mutex` would do the same, but needs iOS 18, and apps that use this package run on iOS 17.
package final class LockedValue<Value: Sendable>: @unchecked Sendable {
    // Accessed only while the lock is held, which the compiler cannot check.
    private var value: Value
    private let lock = NSLock()

    package init(_ value: Value) { self.value = value }

    /// Reads or changes the value under the lock; the body must not take the same lock again.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
