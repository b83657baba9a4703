import NIOCore
import NIOPosix

/// Speaks SMTP to the emulator's mail relay, like a mail server.
struct MailPort: Sendable {
    let port: Int

    /// Sends one mail.
    ///
    /// - Returns: the relay's reply to it, or the first reply that refused a command.
    /// - Throws: ``HarnessError`` if the relay closes the connection.
    func send(from sender: String, to recipient: String, _ text: String) async throws -> String {
        let commands = [
            "HELO test.example", "MAIL FROM:<\(sender)>", "RCPT TO:<\(recipient)>", "DATA",
            "Subject: \(text)\r\n\r\n\(text)\r\n.",
        ]
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var lines = Lines(chunks: inbound.makeAsyncIterator())
            var answer = try await lines.next()
            for command in commands {
                try await outbound.write(ByteBuffer(string: command + "\r\n"))
                answer = try await lines.next()
                guard "23".contains(answer.prefix(1)) else { break }
            }
            return answer
        }
    }

    private struct Lines {
        var chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private var text = ""

        init(chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) {
            self.chunks = chunks
        }

        mutating func next() async throws -> String {
            while true {
                if let end = text.firstIndex(where: \.isNewline) {
                    let line = String(text[..<end])
                    text.removeSubrange(...end)
                    return line
                }
                guard let chunk = try await chunks.next(isolation: #isolation) else {
                    throw HarnessError("the mail relay hung up after \(text)")
                }
                text += String(buffer: chunk)
            }
        }
    }
}
