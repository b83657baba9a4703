import AppleEmulator
import AppleIdentity
import NIOCore
import NIOPosix

/// Sends a message to another mail server without TLS, on this machine or in a container.
struct SMTPClient {
    static let maximumSeconds = 60

    let server: MailServerAddress
    let time: TimeSource

    /// Sends the message, and returns the server's last reply.
    func send(_ mail: OutgoingMail) async throws -> String {
        try await time.within(
            .seconds(Self.maximumSeconds),
            late: SMTPClientError(reason: "sending took more than \(Self.maximumSeconds) seconds")
        ) { try await exchange(mail) }
    }

    private func exchange(_ mail: OutgoingMail) async throws -> String {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: server.host, port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var replies = inbound.makeAsyncIterator()
            var buffer = ByteBuffer()
            func reply(_ expected: Set<Int>) async throws -> SMTPServerReply {
                while true {
                    if let reply = try SMTPServerReply.read(from: &buffer) {
                        guard expected.contains(reply.code) else {
                            throw SMTPClientError(reason: reply.line)
                        }
                        return reply
                    }
                    guard let bytes = try await replies.next(isolation: #isolation) else {
                        throw SMTPClientError(reason: "the server closed the connection")
                    }
                    buffer.writeImmutableBuffer(bytes)
                }
            }
            func ask(_ command: String, _ expected: Set<Int>) async throws -> Int {
                try await outbound.write(ByteBuffer(string: command + "\r\n"))
                return try await reply(expected).code
            }
            _ = try await reply([220])
            if try await ask("EHLO localhost", Self.codesWithoutExtensions.union([250])) != 250 {
                _ = try await ask("HELO localhost", [250])
            }
            for (command, codes) in Self.commands(for: mail) { _ = try await ask(command, codes) }
            try await outbound.write(ByteBuffer(bytes: Self.stuffed(mail.content)))
            let answer = try await reply([250])
            try await outbound.write(ByteBuffer(string: "QUIT\r\n"))
            return answer.line
        }
    }

    /// The replies to EHLO of a server without extensions: RFC 5321, section 4.1.4.
    /// https://www.rfc-editor.org/rfc/rfc5321#section-4.1.4
    private static let codesWithoutExtensions: Set<Int> = [500, 502]

    private static func commands(for mail: OutgoingMail) -> [(String, Set<Int>)] {
        let international = mail.recipient.isInternational || mail.sender.isInternational
        return [
            ("MAIL FROM:<\(mail.sender.text)>" + (international ? " SMTPUTF8" : ""), [250]),
            // A server that forwards the message itself replies with 251.
            ("RCPT TO:<\(mail.recipient.text)>", [250, 251]), ("DATA", [354]),
        ]
    }

    /// RFC 5321, section 4.5.2: a line that begins with a dot gets another dot.
    /// https://www.rfc-editor.org/rfc/rfc5321#section-4.5.2
    private static func stuffed(_ content: [UInt8]) -> [UInt8] {
        let dot = UInt8(ascii: ".")
        var result: [UInt8] = []
        var isAtStart = true
        for byte in content {
            if isAtStart, byte == dot { result.append(dot) }
            result.append(byte)
            isAtStart = byte == 0x0A
        }
        return result + (isAtStart ? [] : [0x0D, 0x0A]) + [dot, 0x0D, 0x0A]
    }
}
