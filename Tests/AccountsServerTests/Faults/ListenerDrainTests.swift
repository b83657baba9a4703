import AccountsSQLite
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import NIOPosix
import ServiceLifecycle
import Testing

@testable import AccountsServer

@Suite("The port of a server that is told to end", .timeLimit(.minutes(2)))
struct ListenerDrainTests {
    @Test("waits for a connection until it is served, or gone before")
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
            // A connection is taken off once.
            #expect(!arrivals.areUnderWay)
            delegate.connectionOpened()
            #expect(arrivals.areUnderWay)
            _ = try EmbeddedChannel(handler: arrivals.handler()).finish()
            #expect(!arrivals.areUnderWay)
        }
    }

    #if os(Linux)
        @Test("answers every request on a connection that was begun before it is closed")
        func drained() async throws {
            let logger = Logger(label: "drain") { _ in SwiftLogNoOpLogHandler() }
            try await withServer(logger) { port, end in
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

    /// Asks on a new connection each time, and has the server told to end once it has answered.
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
        let request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard
            let channel = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(
                    host: "127.0.0.1",
                    port: port,
                    channelInitializer: { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                                wrappingChannelSynchronously: channel
                            )
                        }
                    }
                )
        else { return .refused }
        var answer = ByteBuffer()
        do {
            try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: request))
                for try await part in inbound { answer.writeImmutableBuffer(part) }
            }
        } catch {
            // What came before counts.
        }
        return String(buffer: answer).hasPrefix("HTTP/1.1 200 ") ? .answered : .lost
    }

    /// Runs a server with its drain, as the command does, until it has ended.
    private func withServer(
        _ logger: Logger,
        _ body:
            @escaping @Sendable (_ port: Int, _ end: @escaping @Sendable () async -> Void)
            async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "accounts-drain-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withAppleEmulator { apple in
            var configuration = try AccountsServerConfiguration(
                values: TestSettings.values(in: folder)
            )
            configuration.apple = try apple.signInConfiguration()
            let (ports, port) = AsyncStream<Int>.makeStream()
            let drain = ListenerDrain(logger: logger)
            let server = try buildAccountsServer(
                configuration: configuration,
                store: SQLiteAccountStore(path: folder.appending(path: "siwa.sqlite").path()),
                transport: apple.transport,
                time: apple.time.source,
                drain: drain,
                logger: logger,
                address: .hostname("127.0.0.1", port: 0),
                onServerRunning: { port.yield($0.localAddress?.port ?? 0) }
            )
            let group = ServiceGroup(services: [server, drain], logger: logger)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                for await port in ports.prefix(1) {
                    try await body(port) { await group.triggerGracefulShutdown() }
                }
                try await tasks.waitForAll()
            }
        }
    }
}
