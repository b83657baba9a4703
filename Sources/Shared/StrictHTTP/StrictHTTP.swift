import NIOCore
import NIOHTTP1

/// The rules of RFC 9112 for a server that SwiftNIO's parser does not check, for the servers of this package.
///
/// | request | response |
/// |---|---|
/// | HTTP/1.1 without `Host`, or any with two | 400, connection closed |
/// | a transfer coding other than `chunked`, or one with a `Content-Length` | 400, connection closed |
/// | HTTP/1.0 without `keep-alive`, `Connection: Close` | connection closed after the response |
/// | `Upgrade`, `CONNECT` | the other protocol is ignored; connection closed after the response |
package enum StrictHTTP {
    /// Returns the handlers for `additionalChannelHandlers` of a channel's configuration.
    ///
    /// - Parameters:
    ///   - drains: whether connections stay open for a moment when the server stops, for a request on its way.
    ///   - exchangeSeconds: the time limit for receiving a request and for sending a response; nil for none.
    /// - Returns: the handlers.
    package static func handlers(
        drains: Bool = false,
        exchangeSeconds: Int? = nil
    ) -> [any RemovableChannelHandler] {
        [RequestCheckInstaller(drains: drains, exchangeSeconds: exchangeSeconds)]
    }
}

/// Adds the check directly after the parser: Hummingbird adds its handlers after the conversion to `HTTPTypes`,
/// where the version and a second `Host` are lost.
private final class RequestCheckInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let drains: Bool
    private let exchangeSeconds: Int?

    init(drains: Bool, exchangeSeconds: Int?) {
        self.drains = drains
        self.exchangeSeconds = exchangeSeconds
    }

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            let pipeline = context.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            if let exchangeSeconds {
                let deadline = ExchangeDeadline(.seconds(Int64(exchangeSeconds)))
                try pipeline.addHandler(deadline, position: .after(parser))
            }
            if drains { try pipeline.addHandler(ConnectionDrain(), position: .after(parser)) }
            try pipeline.addHandler(RequestCheck(), position: .after(parser))
        } catch {
            // A server whose requests are not checked must not respond.
            context.close(promise: nil)
        }
    }
}
