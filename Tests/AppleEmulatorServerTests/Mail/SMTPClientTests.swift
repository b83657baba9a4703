import NIOCore
import NIOPosix
import Testing

@testable import AppleEmulator
@testable import AppleEmulatorServer

/// What a mail server may say while a mail is handed to it.
@Suite(.timeLimit(.minutes(2))) struct SMTPClientTests {
    @Test(arguments: [
        ["220 a", "250 a", "250 a", "250 a", "354 a", "250 taken", "221 a"],
        ["220 a", "250 a", "250 a", "251 passed on", "354 a", "250 taken", "221 a"],
        ["220 a", "502 a", "250 a", "250 a", "250 a", "354 a", "250 taken", "221 a"],
        ["220 a", "500 a", "250 a", "250 a", "250 a", "354 a", "250 taken", "221 a"],
    ])
    func taken(answers: [String]) async throws {
        let answer = try await send(to: answers)
        #expect(answer == "250 taken")
    }

    @Test(arguments: [
        ["554 no", "221 a"], ["220 a", "550 no"], ["220 a", "502 a", "550 no"],
        ["220 a", "250 a", "251 no"], ["220 a", "250 a", "250 a", "250 a", "354 a", "251 no"],
    ])
    func refused(answers: [String]) async throws {
        await #expect(throws: SMTPClientError.self) { try await send(to: answers) }
    }

    /// Hands a mail to a server that says these lines, one for each of what it is sent.
    private func send(to answers: [String]) async throws -> String {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Prompter(answers))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let address = try #require(MailServerAddress("127.0.0.1:\(port)"))
        let mail = OutgoingMail(
            number: 1,
            sender: try #require(MailAddress("a@b.example")),
            recipient: try #require(MailAddress("c@d.example")),
            content: Array("Subject: x\r\n\r\nx\r\n".utf8)
        )
        defer { server.close(promise: nil) }
        return try await SMTPClient(server: address, time: .live).send(mail)
    }

    private final class Prompter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var answers: ArraySlice<String>

        init(_ answers: [String]) { self.answers = answers[...] }

        func channelActive(context: ChannelHandlerContext) { answer(context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { answer(context) }

        private func answer(_ context: ChannelHandlerContext) {
            guard let line = answers.popFirst() else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: line + "\r\n")), promise: nil)
        }
    }
}
