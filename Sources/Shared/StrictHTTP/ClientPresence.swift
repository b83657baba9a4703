import AppleIdentity
import NIOCore

/// Notices when the client closes the connection, because then nothing needs to wait for it.
package final class ClientPresence: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    // Reads pass through unchanged.
    package typealias InboundIn = Never

    private let hasEnded = LockedValue(false)
    private let signal = Signal()

    package init() {}

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A client that closes its sending side counts as gone: its program may have ended.
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { noteEnd() }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        noteEnd()
        context.fireChannelInactive()
    }

    /// Returns when the client has closed the connection, or when the task is cancelled.
    package func end() async {
        if !hasEnded.withLock(\.self) { await signal.wait() }
    }

    private func noteEnd() {
        hasEnded.withLock { $0 = true }
        signal.send()
    }
}
