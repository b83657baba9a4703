import Accounts
import AccountsSQLite
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import NIOPosix
import ServerTestSupport
import ServiceLifecycle
import TestSupport
import Testing

@testable import AccountsServer

@Suite("The port of a server that shuts down", .timeLimit(.minutes(2)))
struct ListenerDrainTests {
    @Test("waits until a connection is served or closed")
    func arrivals() throws {
        let arrivals = ConnectionArrivals()
        for isServed in [true, false] {
            var delegate = arrivals.delegate(maximumConnectionCount: 1)
            #expect(delegate.isAcceptingNewConnections())
            delegate.connectionOpened()
            #expect(arrivals.areUnderWay)
            #expect(!delegate.isAcceptingNewConnections())
            let channel = EmbeddedChannel(handler: arrivals.handler())
            #expect(arrivals.areUnderWay)
            if isServed {
                try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
                #expect(!arrivals.areUnderWay)
            }
            _ = try channel.finish()
            // A connection is counted down only once.
            #expect(!arrivals.areUnderWay)
            delegate.connectionOpened()
            #expect(arrivals.areUnderWay)
            _ = try EmbeddedChannel(handler: arrivals.handler()).finish()
            #expect(!arrivals.areUnderWay)
        }
    }

    @Test("stays open while a connection is accepted and not served, and for a moment after that")
    func waiting() async throws {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let time = ManualTime()
        let drain = ListenerDrain(time: time.source, logger: .quiet)
        var delegate = drain.arrivals.delegate(maximumConnectionCount: 1)
        delegate.connectionOpened()
        let isOver = LockedValue(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await drain.drain(#require(channel as? any SocketOptionProvider))
                isOver.withLock { $0 = true }
            }
            for look in 0..<60 {
                try await waitUntil { time.sleeperCount > 0 || isOver.withLock(\.self) }
                #expect(isOver.withLock { $0 } == false)
                if look == 50 {
                    _ = try EmbeddedChannel(handler: drain.arrivals.handler()).finish()
                }
                time.advance(bySeconds: 0.01)
            }
            try await group.waitForAll()
        }
        try await channel.close()
    }

    #if os(Linux)
        @Test("responds to every request on a connection that was opened before it is closed")
        func drained() async throws {
            try await withServer { port, end in
                let outcomes = try await withThrowingTaskGroup(of: [Outcome].self) { group in
                    for _ in 0..<24 { group.addTask { try await Self.askUntilRefused(port, end) } }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                #expect(outcomes.count { $0 == .lost } == 0)
                #expect(outcomes.count { $0 == .answered } >= 24)
            }
        }
    #endif

    private enum Outcome {
        case answered, refused, lost
    }

    /// Sends each request on a new connection, and shuts the server down after a response.
    private static func askUntilRefused(
        _ port: Int,
        _ end: @escaping @Sendable () async -> Void
    ) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        while outcomes.last != .refused {
            outcomes.append(try await ask(port))
            if outcomes.count == 20 { await end() }
        }
        return outcomes
    }

    private static func ask(_ port: Int) async throws -> Outcome {
        let group = MultiThreadedEventLoopGroup.singleton
        let outcome = group.any().makePromise(of: Outcome.self)
        let client = ClientBootstrap(group: group).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(Client(outcome))
            }
        }
        client.connect(host: "127.0.0.1", port: port).whenFailure { _ in outcome.succeed(.refused) }
        return try await outcome.futureResult.get()
    }

    /// Sends at once after connecting, without a change of threads, so the connection is never
    /// silent for long.
    private final class Client: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private static let request =
            "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

        private let outcome: EventLoopPromise<Outcome>
        private var answer = ByteBuffer()

        init(_ outcome: EventLoopPromise<Outcome>) { self.outcome = outcome }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.request)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            answer.writeImmutableBuffer(unwrapInboundIn(data))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        /// Only requests before the shutdown count.
        func channelInactive(context: ChannelHandlerContext) {
            let isAnswered = String(buffer: answer).hasPrefix("HTTP/1.1 200 ")
            outcome.succeed(isAnswered ? .answered : .lost)
        }
    }

    /// Runs a server with its drain, as the command does, until it has ended.
    private func withServer(
        _ body:
            @escaping @Sendable (_ port: Int, _ end: @escaping @Sendable () async -> Void)
            async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withAppleEmulator { apple in
            var configuration = try AccountsServerConfiguration(
                values: TestSettings.values(in: folder)
            )
            configuration.apple = try apple.signInConfiguration()
            let (ports, port) = AsyncStream<Int>.makeStream()
            let drain = ListenerDrain(logger: .quiet)
            let server = try buildAccountsServer(
                configuration: configuration,
                store: AccountStore(
                    SQLiteDatabase(path: folder.appending(path: "siwa.sqlite").path())
                ),
                transport: apple.transport,
                time: apple.time.source,
                drain: drain,
                logger: .quiet,
                address: .hostname("127.0.0.1", port: 0),
                onServerRunning: { port.yield($0.localAddress?.port ?? 0) }
            )
            let group = ServiceGroup(services: [server, drain], logger: .quiet)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    defer { port.finish() }
                    try await group.run()
                }
                for await port in ports.prefix(1) {
                    try await body(port) { await group.triggerGracefulShutdown() }
                }
                try await tasks.waitForAll()
            }
        }
    }
}
