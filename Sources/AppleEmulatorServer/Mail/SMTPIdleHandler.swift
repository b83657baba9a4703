import NIOCore

/// Says goodbye to a client that sent nothing for too long, or that does not come to an end.
final class SMTPIdleHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let conversationTime: TimeAmount
    private var deadline: Scheduled<Void>?

    init(conversationTime: TimeAmount) {
        self.conversationTime = conversationTime
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: conversationTime) {
            self.end(context, SMTPSession.tooLong)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        end(context, SMTPSession.idle)
    }

    private func end(_ context: ChannelHandlerContext, _ farewell: SMTPAnswer) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: farewell.text)), promise: nil)
        context.close(promise: nil)
    }
}
