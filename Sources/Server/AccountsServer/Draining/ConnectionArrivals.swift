import HummingbirdCore
import NIOCore
import Synchronization

/// Counts the connections that a server has accepted but does not serve yet.
///
/// SwiftNIO prepares each connection on its own event loop before the server gets it. When the port
/// is closed in the meantime, the connection is reset and its request is lost, or the process ends
/// (`Deinited NIOAsyncWriter without calling finish()`).
final class ConnectionArrivals: Sendable {
    private let count = Atomic(0)

    var areUnderWay: Bool { count.load(ordering: .acquiring) > 0 }

    /// Returns a delegate that counts each accepted connection.
    func delegate(maximumConnectionCount: Int) -> any AvailableConnectionsDelegate {
        Delegate(limit: MaximumAvailableConnections(maximumConnectionCount), arrivals: self)
    }

    /// Returns a handler that ends the counting of its connection.
    func handler() -> any RemovableChannelHandler { Handler(self) }

    private struct Delegate: AvailableConnectionsDelegate {
        var limit: MaximumAvailableConnections
        let arrivals: ConnectionArrivals

        mutating func connectionOpened() {
            arrivals.count.add(1, ordering: .acquiringAndReleasing)
            limit.connectionOpened()
        }

        mutating func connectionClosed() { limit.connectionClosed() }

        func isAcceptingNewConnections() -> Bool { limit.isAcceptingNewConnections() }
    }

    private final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private let arrivals: ConnectionArrivals
        private var isCounted = true

        init(_ arrivals: ConnectionArrivals) { self.arrivals = arrivals }

        /// The event loop that activates the connection hands it to the server in the same turn.
        func channelActive(context: ChannelHandlerContext) {
            end()
            context.fireChannelActive()
        }

        func handlerRemoved(context: ChannelHandlerContext) { end() }

        private func end() {
            guard isCounted else { return }
            isCounted = false
            arrivals.count.subtract(1, ordering: .acquiringAndReleasing)
        }
    }
}
