import NIOCore

/// Says goodbye to a client that sent nothing for too long.
final class SMTPIdleHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        let farewell = ByteBuffer(string: SMTPSession.idle.text)
        context.writeAndFlush(wrapOutboundOut(farewell), promise: nil)
        context.close(promise: nil)
    }
}
