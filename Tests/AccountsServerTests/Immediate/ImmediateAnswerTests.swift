import AppleIdentity
import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import SignInWithApple
import Testing

@testable import AccountsServer

@Suite("A request that memory can answer")
struct ImmediateAnswerTests {
    private let connection: Connection

    init() throws {
        connection = try Connection { request in
            request.headers[.authorization] == "Bearer known" ? ByteBuffer(string: "{}") : nil
        }
    }

    @Test("is answered on the connection, with the fields that any answer has")
    func answered() throws {
        try connection.send(.head(Connection.known), .end(nil))
        #expect(connection.handedOn.isEmpty)
        let answer = try #require(try connection.answer())
        #expect(answer.status == .ok)
        #expect(answer.headerFields[.contentType] == "application/json; charset=utf-8")
        #expect(answer.headerFields[.contentLength] == "2")
        #expect(answer.headerFields[.cacheControl] == "no-store")
        #expect(answer.headerFields[.date] == "Thu, 01 Jan 1970 00:00:00 GMT")
        let body = try connection.channel.readOutbound(as: HTTPResponsePart.self)
        #expect(body == .body(ByteBuffer(string: "{}")))
        #expect(try connection.channel.readOutbound(as: HTTPResponsePart.self) == .end(nil))
    }

    @Test(
        "goes the usual way when it is another one",
        arguments: [
            HTTPRequest(method: .get, path: "/api/account", token: "unknown"),
            HTTPRequest(method: .get, path: "/api/account", token: nil),
            HTTPRequest(method: .get, path: "/api/account?a=b", token: "known"),
            HTTPRequest(method: .get, path: "/api/accounts", token: "known"),
            HTTPRequest(method: .delete, path: "/api/account", token: "known"),
            HTTPRequest(method: .head, path: "/api/account", token: "known"),
            HTTPRequest(method: .get, path: "/api/account", token: "known", connection: "close"),
        ]
    )
    func other(_ head: HTTPRequest) throws {
        try connection.send(.head(head), .end(nil))
        #expect(connection.handedOn == [.head(head), .end(nil)])
        #expect(try connection.answer() == nil)
    }

    @Test("goes the usual way when it has a body, or its end is still to come")
    func body() throws {
        let parts: [HTTPRequestPart] = [
            .head(Connection.known), .body(ByteBuffer(string: "x")), .end(nil),
        ]
        try connection.send(parts[0], parts[1], parts[2])
        #expect(connection.handedOn == parts)
        try connection.answerUsually()

        try connection.send(parts[0])
        #expect(connection.handedOn.count == 4)
        try connection.send(parts[2])
        #expect(connection.handedOn.count == 5)
        #expect(try connection.answer() == nil)
    }

    @Test("waits its turn behind a request that is not answered yet")
    func order() throws {
        let other = HTTPRequest(method: .get, path: "/sign-in", token: nil)
        try connection.send(.head(other), .end(nil), .head(Connection.known), .end(nil))
        #expect(connection.handedOn.count == 4)
        #expect(try connection.answer() == nil)
        try connection.answerUsually()
        try connection.answerUsually()
        try connection.send(.head(Connection.known), .end(nil))
        #expect(connection.handedOn.count == 4)
        #expect(try connection.answer() != nil)
    }

    @Test("is not answered at once to a client that takes no answers")
    func unread() throws {
        connection.channel.isWritable = false
        try connection.send(.head(Connection.known), .end(nil))
        #expect(connection.handedOn.count == 2)
    }

    @Test("is the last of a connection whose server stops")
    func stopping() throws {
        let channel = connection.channel
        channel.pipeline.fireChannelRead(HTTPRequestPart.head(Connection.known))
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(channel.isActive)
        try connection.send(.end(nil))
        #expect(try connection.answer() != nil)
        #expect(!channel.isActive)
    }

    @Test("is handed on before what the parser found wrong in it")
    func malformed() throws {
        connection.channel.pipeline.fireChannelRead(HTTPRequestPart.head(Connection.known))
        connection.channel.pipeline.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        #expect(connection.handedOn == [.head(Connection.known)])
    }
}

/// A connection as the server sets it up, with one route that memory can answer.
private struct Connection {
    static let known = HTTPRequest(method: .get, path: "/api/account", token: "known")

    let channel: EmbeddedChannel
    private let recorder = Recorder()

    var handedOn: [HTTPRequestPart] { recorder.parts }

    init(_ document: @escaping ImmediateAnswers.Document) throws {
        let origins = try OriginChoice([AccountsServerOrigins.local()])
        let time = ManualTime(now: Date(timeIntervalSince1970: 0)).source
        var answers = ImmediateAnswers(dates: DateField(time: time))
        let middleware = ServerMiddleware(
            proxies: TrustedProxies(),
            headers: SecurityHeaders(origins: origins),
            writer: RefusalWriter(pages: try PageRenderer(appName: "Juice")),
            routes: RouteTable(Router(context: ServerContext.self)),
            limiter: RefusalLimiter(time: time),
            limited: LimitedRequests(NOOPMetricsHandler.instance),
            time: time,
            measures: RequestMeasures(.get, "/api/account", NOOPMetricsHandler.instance),
            tracer: nil
        )
        answers.add("/api/account", document, middleware)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        channel = EmbeddedChannel(handlers: [
            ImmediateAnswerInstaller(answers, logger: logger),
            HTTPConnectionStateHandler(idleTimeout: .seconds(60), logger: logger), recorder,
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func send(_ parts: HTTPRequestPart...) throws {
        for part in parts { channel.pipeline.fireChannelRead(part) }
        channel.pipeline.fireChannelReadComplete()
    }

    /// The head of what was answered at once.
    func answer() throws -> HTTPResponse? {
        guard case .head(let head) = try channel.readOutbound(as: HTTPResponsePart.self) else {
            return nil
        }
        return head
    }

    /// Answers a request that was handed on, as a route does.
    func answerUsually() throws {
        for part in [HTTPResponsePart.head(HTTPResponse(status: .ok)), .end(nil)] {
            try channel.writeOutbound(part)
            _ = try channel.readOutbound(as: HTTPResponsePart.self)
        }
    }
}

private final class Recorder: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart

    var parts: [HTTPRequestPart] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        parts.append(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension HTTPRequest {
    fileprivate init(method: Method, path: String, token: String?, connection: String? = nil) {
        self.init(method: method, scheme: "http", authority: "juice.example.com", path: path)
        if let token { headerFields[.authorization] = "Bearer \(token)" }
        if let connection { headerFields[.connection] = connection }
    }
}
