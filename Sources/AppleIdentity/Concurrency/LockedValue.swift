import Foundation

/// A value that several threads share, behind a lock.
///
/// `Mutex` would do the same, but needs iOS 18, and apps that use this package run on iOS 17.
package final class LockedValue<Value: Sendable>: @unchecked Sendable {
    // Read and written only while the lock is held, which the compiler can't see.
    private var value: Value
    private let lock = NSLock()

    /// Keeps a value.
    ///
    /// - Parameter value: what it is at first.
    package init(_ value: Value) { self.value = value }

    /// Reads or changes the value while nobody else can.
    ///
    /// - Parameter body: what to do with the value; it must not take the same lock again.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
