import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import StrictHTTP

@Suite("A connection that is too slow for an honest client")
struct SlowConnectionTests {
    private let limit = TimeAmount.seconds(60)

    /// A connection on which a request has begun.
    private func channel(_ handlers: any ChannelHandler...) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handlers: handlers)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private let head = HTTPServerRequestPart.head(
        HTTPRequestHead(version: .http1_1, method: .POST, uri: "/api/accounts")
    )
    private let answer = HTTPServerResponsePart.head(
        HTTPResponseHead(version: .http1_1, status: .ok)
    )

    @Test("is closed when the request does not arrive in time, although single bytes arrive")
    func slowRequest() throws {
        let channel = try channel(ExchangeDeadline(limit))
        try channel.writeInbound(head)
        for _ in 0..<5 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "x")))
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("is closed when the response is not received in time, and stays when it is")
    func slowReader() throws {
        let channel = try channel(ExchangeDeadline(limit))
        for isTaken in [true, false] {
            try channel.writeInbound(head)
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
            channel.write(answer, promise: nil)
            channel.write(HTTPServerResponsePart.end(nil), promise: nil)
            if isTaken { channel.flush() }
            channel.embeddedEventLoop.advanceTime(by: limit)
            #expect(channel.isActive == isTaken)
        }
    }

    @Test("is closed when only the first of two responses is received in time")
    func slowReaderOfTwo() throws {
        let channel = try channel(ExchangeDeadline(limit))
        for _ in 0..<2 {
            try channel.writeInbound(head)
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }
        channel.write(answer, promise: nil)
        channel.write(HTTPServerResponsePart.end(nil), promise: nil)
        channel.write(answer, promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        channel.flush()
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("may wait for the server's own work for as long as it takes")
    func slowServer() throws {
        let channel = try channel(ExchangeDeadline(limit))
        try channel.writeInbound(head)
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test(
        "learns of the server's end after two seconds when it is silent, and at once during a request"
    )
    func drained() throws {
        for isSilent in [true, false] {
            let ends = EndRecorder()
            let channel = try channel(ConnectionDrain(), ends)
            if !isSilent { try channel.writeInbound(head) }
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            #expect(ends.count == (isSilent ? 0 : 1))
            channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(ends.count == 1)
            try channel.writeOutbound(answer)
            let written = try channel.readOutbound(as: HTTPServerResponsePart.self)
            guard case .head(let head) = written else {
                Issue.record("no head was written")
                continue
            }
            #expect(head.headers["connection"] == ["close"])
        }
    }
}

private final class EndRecorder: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    var count = 0

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { count += 1 }
    }
}
