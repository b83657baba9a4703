import AppleIdentity
import NIOCore

/// Knows when the client of a connection has hung up, so that nobody waits for it any longer.
final class ClientPresence: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    // What is read goes on as it is.
    typealias InboundIn = Never

    /// Rings when the client is gone.
    private let end = Signal()

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A client that sends nothing more is taken for gone: the program behind it may have ended.
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { end.send() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end.send()
        context.fireChannelInactive()
    }

    /// Does what may take long, and gives it up when the client hangs up.
    func during(_ operation: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { [end] group in
            group.addTask {
                await end.wait()
                throw CancellationError()
            }
            group.addTask { try await operation() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
