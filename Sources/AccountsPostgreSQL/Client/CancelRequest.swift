import CPostgreSQL
import Foundation
import Synchronization

/// Asks a server to end what it does for a connection, on a connection of its own.
///
/// Source: [libpq, canceling queries in progress](https://www.postgresql.org/docs/current/libpq-cancel.html)
enum CancelRequest {
    /// How many are under way at the same time: libpq waits for the server, and one that stands still lets it wait for long.
    static let maximumCount = 4

    private static let count = Mutex(0)

    /// Sends one without waiting; none when too many are under way, because such a server heeds none.
    ///
    /// - Parameters:
    ///   - connection: the connection.
    ///   - onceSent: called from any thread when the server has it, or none is sent.
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
        // Queues share few threads: a server that stands still would have them all, and nobody could connect to another.
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
