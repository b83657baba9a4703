import AppleEmulator
import AppleIdentity
import Foundation
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import AppleEmulatorServer

/// People's answers go on to another mail server: here, another relay.
@Suite(.timeLimit(.minutes(2))) struct OutgoingMailSenderTests {
    @Test func anAnswerIsHandedOn() async throws {
        try await withMailReceiver { receiving, port in
            let sent = try await answer(to: "noah@example.com", through: port)
            #expect(sent["state"] == "sent" && sent["smtp"] == "250 2.0.0 delivered as 1")
            let mail = try await receiving.mail(id: "1")
            #expect(mail["person"] == "noah@example.com" && mail["text"] == "Hello,\n.\nNoah")
            #expect(mail["envelope_sender"] == "maya@example.com")
        }
    }

    @Test func anAnswerThatIsNotTakenIsToldSo() async throws {
        try await withMailReceiver { _, port in
            let sent = try await answer(to: "nobody@privaterelay.appleid.com", through: port)
            #expect(sent["state"] == "failed")
            #expect(sent["smtp"]?.stringValue?.hasPrefix("550 5.7.1 ") == true)
        }
    }

    @Test func aServerThatIsNotThereIsToldSo() async throws {
        let sent = try await answer(to: "noah@example.com", through: 1)
        #expect(sent["state"] == "failed")
        #expect(sent["smtp"]?.stringValue?.hasPrefix("no connection: ") == true)
    }

    @Test(arguments: [
        ("250 ok\r\n", 250, "250 ok"), ("250-a\r\n250 b\r\nrest", 250, "250 b"),
        ("421 \u{1B}[31mred\r\n", 421, "421"),
    ])
    func repliesAreRead(text: String, code: Int, line: String) throws {
        var buffer = ByteBuffer(string: text)
        let reply = try SMTPServerReply.read(from: &buffer)
        #expect(reply == SMTPServerReply(code: code, line: line))
    }

    @Test(arguments: ["hello\r\n", "99 x\r\n", "\r\n", "2500\r\n600 x\r\n"])
    func whatIsNoReplyIsAFailure(text: String) {
        var buffer = ByteBuffer(string: text.replacing("2500\r\n", with: ""))
        #expect(throws: SMTPClientError.self) { try SMTPServerReply.read(from: &buffer) }
    }

    @Test func aReplyWithoutEndIsAFailureAndHalfAReplyIsNone() throws {
        var half = ByteBuffer(string: "250-a\r\n25")
        let reply = try SMTPServerReply.read(from: &half)
        #expect(reply == nil)
        var endless = ByteBuffer(repeating: 0x41, count: SMTPServerReply.maximumByteCount + 1)
        #expect(throws: SMTPClientError.self) { try SMTPServerReply.read(from: &endless) }
    }

    @Test(arguments: [
        ("127.0.0.1:1025", "127.0.0.1", 1025), ("[::1]:25", "::1", 25), ("mail:587", "mail", 587),
    ])
    func addresses(text: String, host: String, port: Int) {
        let address = MailServerAddress(text)
        #expect(address?.host == host && address?.port == port)
    }

    @Test(arguments: ["", "mail", ":25", "mail:", "mail:0", "mail:65536", "::1:25", "a b:25"])
    func wrongAddresses(text: String) { #expect(MailServerAddress(text) == nil) }

    /// Maya answers a mail of this sender; the answer, when it is finished.
    private func answer(to address: String, through port: Int) async throws -> JSONObject {
        let emulator = try await makeEmulator(of: .demo())
        await emulator.handMailOn()
        let mail = Data("From: \(address)\r\n\r\nHi.\r\n".utf8)
        _ = await emulator.receiveMail(mail, from: address, to: ["maya@example.com"])
        _ = try await emulator.replyToMail(id: "1", ["text": "Hello,\n.\nNoah"])
        let server = try #require(MailServerAddress("127.0.0.1:\(port)"))
        let sender = OutgoingMailSender(
            emulator: emulator,
            server: server,
            time: .live,
            logger: .quiet
        )
        return try await withService(sender) {
            var sent: JSONObject = [:]
            try await waitUntil {
                sent = try await emulator.mail()["sent"]?.arrayValue?.first?.objectValue ?? [:]
                return ["sent", "failed"].contains(sent["state"]?.stringValue)
            }
            return sent
        }
    }
}
