import HummingbirdCore
import NIOCore
import Synchronization

/// Counts the connections that a server has taken from the system and does not serve yet.
///
/// SwiftNIO prepares each connection on an event loop of its own before the server gets it. When the port is closed
/// meanwhile, the connection is reset with the request that was sent on it, or the whole process ends
/// (`Deinited NIOAsyncWriter without calling finish()`).
final class ConnectionArrivals: Sendable {
    private let count = Atomic(0)

    /// Whether there are any.
    var areUnderWay: Bool { count.load(ordering: .acquiring) > 0 }

    /// Counts each connection that is accepted.
    func delegate(maximumConnectionCount: Int) -> any AvailableConnectionsDelegate {
        Delegate(limit: MaximumAvailableConnections(maximumConnectionCount), arrivals: self)
    }

    /// Takes the connection off the count to which it is added.
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

        /// The turn of the port's event loop that has made the connection active hands it to the server, too.
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
