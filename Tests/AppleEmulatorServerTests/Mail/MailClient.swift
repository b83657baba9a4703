import AppleEmulator
import AppleIdentity
import NIOCore
import NIOPosix
import ServerTestSupport
import Testing

@testable import AppleEmulatorServer

/// A connection to a mail server that sends bytes as they are and reads lines.
struct MailClient {
    private var chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var reader = SMTPReader(maximumMessageByteCount: 0)
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    fileprivate init(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.outbound = outbound
        chunks = inbound.makeAsyncIterator()
    }

    /// The last line of the next reply; nil if the server closed the connection.
    mutating func answer() async throws -> String? {
        while true {
            while case .command(let bytes) = reader.next() {
                let line = String(decoding: bytes, as: UTF8.self)
                if line.dropFirst(3).first != "-" { return line }
            }
            guard let chunk = try await chunks.next(isolation: #isolation) else { return nil }
            reader.append(chunk)
        }
    }

    mutating func send(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    /// Sends a command; the answer to it.
    mutating func ask(_ command: String) async throws -> String? {
        try await send(command + "\r\n")
        return try await answer()
    }

    /// Sends commands whose answers are of no interest.
    mutating func begin(_ commands: String...) async throws {
        for command in commands { _ = try await ask(command) }
    }

    /// The last lines of all replies until the server closes the connection.
    mutating func rest() async throws -> [String] {
        var lines: [String] = []
        while let line = try await answer() { lines.append(line) }
        return lines
    }

    static func connected<Answer: Sendable>(
        to port: Int,
        at host: String = "127.0.0.1",
        _ body: @Sendable (inout MailClient) async throws -> Answer
    ) async throws -> Answer {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var client = MailClient(inbound, outbound)
            return try await body(&client)
        }
    }
}

/// Runs the body beside a mail relay with the demo's people.
func withMailReceiver(
    idleTime: TimeAmount = .seconds(60),
    conversationTime: TimeAmount = .seconds(60),
    maximumConversationByteCount: Int = SMTPConnection.maximumByteCount,
    memory: SMTPMemory = SMTPMemory(),
    _ body: @escaping @Sendable (AppleEmulator, Int) async throws -> Void
) async throws {
    let emulator = try await makeEmulator(of: .demo())
    try await withMailReceiver(
        in: Worlds(unnamed: emulator),
        idleTime: idleTime,
        conversationTime: conversationTime,
        maximumConversationByteCount: maximumConversationByteCount,
        memory: memory
    ) { port in try await body(emulator, port) }
}

/// Runs the body beside the mail relay of these worlds.
func withMailReceiver(
    in worlds: Worlds,
    idleTime: TimeAmount = .seconds(60),
    conversationTime: TimeAmount = .seconds(60),
    maximumConversationByteCount: Int = SMTPConnection.maximumByteCount,
    memory: SMTPMemory = SMTPMemory(),
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
    let (ports, port) = AsyncStream<Int>.makeStream()
    let receiver = MailReceiver(
        worlds: worlds,
        port: 0,
        idleTime: idleTime,
        conversationTime: conversationTime,
        maximumConversationByteCount: maximumConversationByteCount,
        memory: memory,
        logger: .quiet,
        onRunning: { port.yield($0 ?? 0) }
    )
    try await withService(receiver) {
        try await body(try #require(await ports.first { $0 > 0 }))
    }
}

/// Runs the body with a connection to such a relay.
func withMailClient(
    idleTime: TimeAmount = .seconds(60),
    conversationTime: TimeAmount = .seconds(60),
    maximumConversationByteCount: Int = SMTPConnection.maximumByteCount,
    memory: SMTPMemory = SMTPMemory(),
    _ body: @escaping @Sendable (inout MailClient, AppleEmulator) async throws -> Void
) async throws {
    try await withMailReceiver(
        idleTime: idleTime,
        conversationTime: conversationTime,
        maximumConversationByteCount: maximumConversationByteCount,
        memory: memory
    ) { emulator, port in
        try await MailClient.connected(to: port) { try await body(&$0, emulator) }
    }
}
