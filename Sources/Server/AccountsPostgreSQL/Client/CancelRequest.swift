import CPostgreSQL
import Foundation
import Synchronization

/// Requests on a separate connection that a server cancel the statement of a connection.
///
/// Source: [libpq, canceling queries in progress](https://www.postgresql.org/docs/current/libpq-cancel.html)
enum CancelRequest {
    /// How many requests may run at the same time, because libpq waits for a server that hangs.
    static let maximumCount = 4

    private static let count = Mutex(0)

    /// Sends a request without waiting, or none when too many are running, because such a server ignores them anyway.
    ///
    /// - Parameters:
    ///   - connection: the connection.
    ///   - onceSent: called on any thread when the request was sent, or when none is sent.
    static func send(
        for connection: OpaquePointer,
        _ onceSent: @escaping @Sendable () -> Void
    ) {
        let isFree = count.withLock { count in
            guard count < maximumCount else { return false }
            count += 1
            return true
        }
        guard isFree else { return onceSent() }
        let address = UInt(bitPattern: PQgetCancel(connection))
        // Requests to a server that hangs would block all the few threads of the queues, even for new connections.
        Thread.detachNewThread {
            defer {
                count.withLock { $0 -= 1 }
                onceSent()
            }
            guard let request = OpaquePointer(bitPattern: address) else { return }
            var reason = [CChar](repeating: 0, count: 256)
            _ = PQcancel(request, &reason, Int32(reason.count))
            PQfreeCancel(request)
        }
    }
}
