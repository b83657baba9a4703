import NIOCore
import NIOHTTP1

/// Tells of request heads that can't be read as HTTP, which the server answers with an empty 400.
///
/// Once a head is read, ``ApplePort`` has the request and tells itself what is wrong.
final class UnreadableRequests: ChannelInboundHandler, RemovableChannelHandler {
    // What is read goes on as it is.
    typealias InboundIn = Never

    private let tell: @Sendable (String) -> Void

    init(tell: @escaping @Sendable (String) -> Void) {
        self.tell = tell
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? HTTPParserError {
        // In a body, or because the client hung up.
        case nil, .invalidChunkSize, .invalidEOFState: break
        case .strictModeAssertion: tell("not exactly one Host, or an unknown Transfer-Encoding")
        case .headerOverflow: tell("the head is too large")
        case let problem?: tell("\(problem)")
        }
        context.fireErrorCaught(error)
    }
}
