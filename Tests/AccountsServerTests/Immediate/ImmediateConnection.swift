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
import ServerTestSupport

@testable import AccountsServer

/// A connection as the server sets it up, with one immediate route, on a thread of the test.
struct ImmediateConnection {
    static let known = HTTPRequest(method: .get, path: "/api/account", token: "known")

    let channel: EmbeddedChannel
    private let recorder = Recorder()

    var handedOn: [HTTPRequestPart] { recorder.parts }

    init(_ document: @escaping @Sendable (Request) -> ByteBuffer?) throws {
        let origins = try OriginChoice([AccountsServerOrigins.local()])
        let time = ManualTime(now: Date(timeIntervalSince1970: 0)).source
        let middleware = ServerMiddleware(
            proxies: TrustedProxies(),
            headers: SecurityHeaders(origins: origins),
            writer: RefusalWriter(pages: try PageRenderer(appName: "Juice")),
            routes: RouteTable(Router(context: ServerContext.self)),
            limiter: RefusalLimiter(time: time),
            limited: CountedRefusals(NOOPMetricsHandler.instance),
            crossOrigin: CrossOriginRequests(
                allowed: AllowedOrigins(),
                origins: origins,
                refused: CountedRefusals(NOOPMetricsHandler.instance)
            ),
            time: time,
            dates: DateField(time: time),
            measures: RequestMeasures(.get, "/api/account", NOOPMetricsHandler.instance)
        )
        let route = ImmediateRoute(path: "/api/account", document: document, middleware: middleware)
        channel = EmbeddedChannel(handlers: [
            ImmediateAnswerInstaller(route, logger: .quiet),
            HTTPConnectionStateHandler(idleTimeout: .seconds(60), logger: .quiet), recorder,
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func send(_ parts: HTTPRequestPart...) {
        for part in parts { channel.pipeline.fireChannelRead(part) }
        channel.pipeline.fireChannelReadComplete()
    }

    /// The document after the response head.
    func document() throws -> String? {
        guard case .body(let buffer) = try channel.readOutbound(as: HTTPResponsePart.self),
            try channel.readOutbound(as: HTTPResponsePart.self) == .end(nil)
        else { return nil }
        return String(buffer: buffer)
    }

    /// The head of the response.
    func answer() throws -> HTTPResponse? {
        guard case .head(let head) = try channel.readOutbound(as: HTTPResponsePart.self) else {
            return nil
        }
        return head
    }

    /// Responds to a forwarded request, as a route does.
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
}

extension HTTPRequest {
    init(method: Method, path: String, token: String?, _ field: HTTPField? = nil) {
        self.init(method: method, scheme: "http", authority: "juice.example.com", path: path)
        if let token { headerFields[.authorization] = "Bearer \(token)" }
        if let field { headerFields[field.name] = field.value }
    }
}
