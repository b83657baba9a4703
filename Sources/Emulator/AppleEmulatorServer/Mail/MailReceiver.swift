import AppleEmulator
import AppleIdentity
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

/// The relay's mail server: SMTP for programs on this machine or in containers.
struct MailReceiver: Service {
    /// The seconds that a client may be silent: RFC 5321, section 4.5.3.2.7, requires five minutes.
    static let maximumIdleSeconds: Int64 = 300
    static let maximumConversationSeconds: Int64 = 3_600
    static let maximumConnectionCount = 100

    let worlds: Worlds
    var host = Loopback.address
    let port: Int
    /// The certificate for STARTTLS, which is not offered without one.
    var tls: NIOSSLContext?
    var idleTime = TimeAmount.seconds(maximumIdleSeconds)
    var conversationTime = TimeAmount.seconds(maximumConversationSeconds)
    var maximumConversationByteCount = SMTPConnection.maximumByteCount
    var memory = SMTPMemory()
    let logger: Logger
    let onRunning: @Sendable (Int?) async -> Void

    /// Receives mail until the service shuts down, which closes the sessions.
    func run() async throws {
        let server = try await bind()
        await onRunning(server.channel.localAddress?.port)
        do {
            try await cancelWhenGracefulShutdown {
                try await server.executeThenClose { connections in try await accept(connections) }
            }
        } catch is CancellationError {
            // A shutdown cancels the wait for connections, which is not a failure.
        }
    }

    private func accept(_ connections: NIOAsyncChannelInboundStream<Connection>) async throws {
        let count = LockedValue(0)
        try await withThrowingDiscardingTaskGroup { group in
            for try await connection in connections {
                let isBusy = count.withLock { count in
                    count += 1
                    return count > Self.maximumConnectionCount
                }
                group.addTask {
                    await serve(connection, isBusy: isBusy)
                    count.withLock { $0 -= 1 }
                }
            }
        }
    }

    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private func bind() async throws -> NIOAsyncChannel<Connection, Never> {
        try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port) { [idleTime, conversationTime] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        IdleStateHandler(readTimeout: idleTime),
                        SMTPIdleHandler(conversationTime: conversationTime),
                    ])
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
    }

    private func serve(_ connection: Connection, isBusy: Bool) async {
        do {
            try await connection.executeThenClose { inbound, outbound in
                guard !isBusy else {
                    try await outbound.write(ByteBuffer(string: SMTPSession.busy.lines))
                    return
                }
                var conversation = SMTPConnection(
                    worlds: worlds,
                    maximumByteCount: maximumConversationByteCount,
                    memory: memory,
                    startTLS: startTLS(of: connection.channel)
                )
                try await conversation.run(inbound, outbound)
            }
        } catch {
            logger.debug("a mail client closed the connection", metadata: ["error": "\(error)"])
        }
    }

    private func startTLS(of channel: any Channel) -> SMTPConnection.StartTLS? {
        guard let tls else { return nil }
        return { byteCount, reply in
            try await channel.eventLoop.submit {
                let pipeline = channel.pipeline.syncOperations
                let client = try pipeline.handler(type: SMTPIdleHandler.self)
                guard client.byteCount == byteCount else { return false }
                // In one step with the handler: a client may begin TLS as soon as it has the reply.
                channel.writeAndFlush(reply, promise: nil)
                try pipeline.addHandler(NIOSSLServerHandler(context: tls), position: .first)
                return true
            }
            .get()
        }
    }
}

/// Closes the connection of a client that is silent for too long or stays too long, and counts its bytes.
final class SMTPIdleHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private(set) var byteCount = 0
    private let conversationTime: TimeAmount
    private var deadline: Scheduled<Void>?

    init(conversationTime: TimeAmount) { self.conversationTime = conversationTime }

    func channelActive(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: conversationTime) {
            self.end(context, SMTPSession.tooLong)
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        byteCount += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
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

    private func end(_ context: ChannelHandlerContext, _ reply: MailReply) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: reply.lines)), promise: nil)
        context.close(promise: nil)
    }
}
