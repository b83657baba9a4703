import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import SignInWithApple

@testable import AccountsServer

/// A connection as the server sets it up, with one route that is answered on it, on a thread of the test's.
struct ImmediateConnection {
    static let known = HTTPRequest(method: .get, path: "/api/account", token: "known")

    let channel: EmbeddedChannel
    private let recorder = Recorder()
    private let readings = ReadRecorder()

    var handedOn: [HTTPRequestPart] { recorder.parts }
    /// What else was handed on: errors and events.
    var told: [String] { recorder.told }
    /// How often more was asked of the system.
    var readCount: Int { readings.count }

    init(
        _ begin:
            @escaping @Sendable (Request, any SessionReceiver) -> ImmediateDocument.Beginning
    ) throws {
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
        let document = ImmediateDocument(begin: begin) { found in
            guard let caller = try found.get() else { throw ServerError.notSignedIn }
            return ByteBuffer(string: caller.account.name?.text ?? "")
        }
        answers.add("/api/account", document, middleware)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        channel = EmbeddedChannel(handlers: [
            readings, ImmediateAnswerInstaller(answers, logger: logger),
            HTTPConnectionStateHandler(idleTimeout: .seconds(60), logger: logger), recorder,
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func send(_ parts: HTTPRequestPart...) throws { try send(parts) }

    func send(_ parts: [HTTPRequestPart]) throws {
        for part in parts { channel.pipeline.fireChannelRead(part) }
        channel.pipeline.fireChannelReadComplete()
    }

    /// The document of what was answered.
    func document() throws -> String? {
        guard try answer() != nil else { return nil }
        let body = try channel.readOutbound(as: HTTPResponsePart.self)
        guard case .body(let buffer) = body,
            try channel.readOutbound(as: HTTPResponsePart.self) == .end(nil)
        else { return nil }
        return String(buffer: buffer)
    }

    /// The head of what was answered.
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
    var told: [String] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        parts.append(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { told.append("\(error)") }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        told.append("\(event)")
    }
}

private final class ReadRecorder: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny

    var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

extension HTTPRequest {
    init(method: Method, path: String, token: String?, connection: String? = nil) {
        self.init(method: method, scheme: "http", authority: "juice.example.com", path: path)
        if let token { headerFields[.authorization] = "Bearer \(token)" }
        if let connection { headerFields[.connection] = connection }
    }
}
