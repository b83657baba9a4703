import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Passes bytes between a client and the server, until it is told to lose something.
final class TestProxy: Sendable {
    /// What is lost; with it, the connection.
    enum Loss: Sendable {
        /// A request with this text does not arrive.
        case request(String)
        /// An answer with this text does not arrive.
        case answer(String)
        /// A request with this text arrives; in the place of its answer a connection pooler says that it lost the server.
        case server(after: String)
        /// A request with this text arrives, and then nothing comes back, on a connection that stays open.
        case silence(after: String)
        /// The answer to COMMIT says that the transaction had failed before and was rolled back.
        case commit
    }

    private let loss = Mutex<Loss?>(nil)
    private let hasLostServer = Mutex(false)
    private let listener = Mutex<(any Channel)?>(nil)
    private let target: (host: String, port: Int)

    private init(port: Int) {
        target = ("127.0.0.1", port)
    }

    /// The port that stands for the server's.
    var port: Int { listener.withLock { $0?.localAddress?.port ?? 0 } }

    /// Runs the body beside a proxy of the server at a port.
    static func with<Answer>(
        port: Int,
        _ body: (TestProxy) async throws -> Answer
    ) async throws -> Answer {
        let proxy = TestProxy(port: port)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { proxy.accept($0) }
            .bind(host: "127.0.0.1", port: 0).get()
        proxy.listener.withLock { $0 = channel }
        let result: Result<Answer, any Error>
        do {
            result = .success(try await body(proxy))
        } catch {
            result = .failure(error)
        }
        try await channel.close()
        return try result.get()
    }

    /// Loses this once.
    func lose(_ next: Loss) {
        loss.withLock { $0 = next }
    }

    /// Whether what was to be lost has been.
    var isLost: Bool { loss.withLock { $0 == nil } }

    private func accept(_ client: any Channel) -> EventLoopFuture<Void> {
        ClientBootstrap(group: client.eventLoop)
            .channelOption(.autoRead, value: false)
            .connect(host: target.host, port: target.port)
            .flatMapThrowing { server in
                try client.pipeline.syncOperations
                    .addHandler(Pump(to: server, isRequest: true, proxy: self))
                try server.pipeline.syncOperations
                    .addHandler(Pump(to: client, isRequest: false, proxy: self))
                client.setOption(.autoRead, value: true).whenComplete { _ in }
                server.setOption(.autoRead, value: true).whenComplete { _ in }
            }
    }

    fileprivate enum Fate {
        case passes, isLost, isLast, isRefused, isRolledBack
    }

    fileprivate func fate(of text: String, isRequest: Bool) -> Fate {
        if !isRequest, hasLostServer.withLock({ exchange(&$0, with: false) }) { return .isRefused }
        return loss.withLock { loss in
            let fate: Fate
            switch loss {
            case .request(let word) where isRequest && text.contains(word): fate = .isLost
            case .answer(let word) where !isRequest && text.contains(word): fate = .isLost
            case .server(let word) where isRequest && text.contains(word):
                hasLostServer.withLock { $0 = true }
                fate = .passes
            case .silence(let word) where isRequest && text.contains(word): fate = .isLast
            case .commit where !isRequest && text.contains("COMMIT"): fate = .isRolledBack
            default: return .passes
            }
            loss = nil
            return fate
        }
    }
}

private final class Pump: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let peer: any Channel
    private let isRequest: Bool
    private let proxy: TestProxy

    init(to peer: any Channel, isRequest: Bool, proxy: TestProxy) {
        self.peer = peer
        self.isRequest = isRequest
        self.proxy = proxy
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        switch proxy.fate(of: String(buffer: bytes), isRequest: isRequest) {
        case .passes: peer.writeAndFlush(bytes, promise: nil)
        case .isLost:
            peer.close(promise: nil)
            context.close(promise: nil)
        case .isRefused:
            peer.writeAndFlush(Self.refusal, promise: nil)
            peer.close(promise: nil)
            context.close(promise: nil)
        case .isRolledBack: peer.writeAndFlush(Self.rollingBack(bytes), promise: nil)
        case .isLast:
            peer.setOption(.autoRead, value: false).whenComplete { [peer] _ in
                peer.writeAndFlush(bytes, promise: nil)
            }
        }
    }

    /// The same answers, with the tag that says that a transaction was rolled back.
    private static func rollingBack(_ bytes: ByteBuffer) -> ByteBuffer {
        func completion(_ tag: String) -> Data {
            Data([0x43, 0, 0, 0, UInt8(tag.utf8.count + 5)] + Array(tag.utf8) + [0])
        }
        let answers = Data(bytes.readableBytesView)
            .replacing(completion("COMMIT"), with: completion("ROLLBACK"))
        return ByteBuffer(bytes: answers)
    }

    /// What PgBouncer sends: without the severity that is in no language, and for the first answer that is missing.
    ///
    /// Source: [PostgreSQL, message formats](https://www.postgresql.org/docs/current/protocol-message-formats.html)
    private static let refusal: ByteBuffer = {
        var fields = ByteBuffer()
        for field in ["SFATAL", "C08P01", "Mserver conn crashed?"] {
            fields.writeNullTerminatedString(field)
        }
        fields.writeInteger(UInt8(0))
        var message = ByteBuffer(string: "E")
        message.writeInteger(Int32(fields.readableBytes + 4))
        message.writeBuffer(&fields)
        return message
    }()

    func channelInactive(context: ChannelHandlerContext) {
        peer.close(promise: nil)
    }
}
