import NIOCore
import NIOHTTP1

/// What RFC 9112 asks of a server and SwiftNIO's parser leaves open, for the servers of this package.
///
/// | request | answer |
/// |---|---|
/// | HTTP/1.1 without `Host`, or any with two | 400, connection closed |
/// | a transfer coding other than `chunked`, or beside a `Content-Length` | 400, connection closed |
/// | HTTP/1.0 without `keep-alive`, `Connection: Close` | connection closed after the answer |
package enum StrictHTTP {
    /// For `additionalChannelHandlers` of a channel's configuration.
    package static func handlers() -> [any RemovableChannelHandler] {
        [RequestCheckInstaller()]
    }
}

/// Puts the check next to the parser: Hummingbird adds its handlers behind the conversion to `HTTPTypes`,
/// where the version and a second `Host` are not seen any more.
private final class RequestCheckInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            let pipeline = context.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(RequestCheck(), position: .after(parser))
        } catch {
            // A server whose requests are not checked has to stay silent.
            context.close(promise: nil)
        }
    }
}

private final class RequestCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        var part = unwrapInboundIn(data)
        switch part {
        case .head(var head):
            guard Self.isAcceptable(head) else {
                isRefused = true
                // Hummingbird answers the parser's errors with 400, after the requests before this one.
                context.fireErrorCaught(HTTPParserError.strictModeAssertion)
                return
            }
            // Hummingbird looks for this very word.
            if !head.isKeepAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
            part = .head(head)
        case .body, .end: break
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private static func isAcceptable(_ head: HTTPRequestHead) -> Bool {
        hasOneHost(head) && hasKnownCoding(head)
    }

    /// RFC 9112, section 3.2: 400 for an HTTP/1.1 request without Host, for any with more than one, and for
    /// one that can't be a host.
    /// https://www.rfc-editor.org/rfc/rfc9112#section-3.2
    private static func hasOneHost(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["host"]
        guard let host = hosts.first else { return head.version == .http1_0 }
        return hosts.count == 1 && !host.utf8.contains { [0x09, 0x20, 0x2C].contains($0) }
    }

    /// RFC 9112, section 6.1: a coding nobody knows is refused; so is one of an older version, and one beside
    /// a length, by which requests are smuggled.
    /// https://www.rfc-editor.org/rfc/rfc9112#section-6.1
    private static func hasKnownCoding(_ head: HTTPRequestHead) -> Bool {
        let codings = head.headers["transfer-encoding"]
        guard let coding = codings.first else { return true }
        return codings.count == 1 && coding.lowercased() == "chunked"
            && head.version == .http1_1 && !head.headers.contains(name: "content-length")
    }
}
