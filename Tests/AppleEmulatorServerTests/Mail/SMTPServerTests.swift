import AppleEmulator
import AppleIdentity
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import AppleEmulatorServer

// Fidelity: mail-20, mail-21
/// The mail relay over sockets.
@Suite(.timeLimit(.minutes(2))) struct SMTPServerTests {
    @Test func aMailIsDelivered() async throws {
        try await withMailClient { client, emulator in
            let relay = try await Self.relayAddress(emulator)
            #expect(try await client.answer()?.hasPrefix("220 ") == true)
            #expect(try await client.ask("EHLO test.example") == "250 AUTH PLAIN LOGIN")
            try await client.begin("MAIL FROM:<news@juice.example.com>", "RCPT TO:<\(relay)>")
            #expect(try await client.ask("DATA")?.hasPrefix("354 ") == true)
            let answer = try await client.ask("Subject: Hi\r\n\r\n..dot\r\n.")
            #expect(answer == "250 2.0.0 delivered as 1")
            #expect(try await client.ask("QUIT")?.hasPrefix("221 ") == true)
            #expect(try await client.answer() == nil)
            let mail = try await emulator.mail(id: "1")
            #expect(mail["text"] == ".dot\r\n" && mail["subject"] == "Hi")
        }
    }

    @Test func theUserNamesTheWorldOfMailToASharedAddress() async throws {
        let harness = try await WorldHarness()
        try await harness.make("a", "b")
        let asked: JSONObject = ["scopes": ["email"], "email": "hide"]
        let relay = try await harness.credential(in: "a", asked).text("email")
        try await withMailReceiver(in: harness.worlds) { port in
            try await MailClient.connected(to: port) { client in
                try await client.begin("EHLO x", "AUTH PLAIN AGIAeA==", "MAIL FROM:<x@y.example>")
                try await client.begin("RCPT TO:<\(WorldHarness.person)>", "RCPT TO:<\(relay)>")
                try await client.begin("DATA", "Subject: a\r\n\r\nb\r\n.")
                #expect(try await client.ask("QUIT")?.hasPrefix("250 ") == true)
            }
        }
        #expect(try await harness.ask("/mail", in: "b").objects("messages").count == 1)
        // The relay takes mail from registered sources alone.
        #expect(try await harness.ask("/mail", in: "a").objects("bounces").count == 1)
        #expect(try await harness.ask("/mail", in: nil)["messages"] == [])
    }

    @Test func aRelayAddressOfTheSeedIsThatOfTheUsersWorld() async throws {
        let harness = try await WorldHarness()
        try await harness.make("a", "b")
        let relay = "kept1@privaterelay.appleid.com"
        let person: JSONObject = [
            "email": "lea@example.com",
            "teams": [["team_id": "JUICETEAM1", "relay_email": .string(relay)]],
        ]
        for world in ["a", "b", nil] { try await harness.post("/people", person, in: world) }
        let asked: JSONObject = [
            "client_id": .string(WorldHarness.app), "scopes": ["email"], "email": "hide",
        ]
        for world in ["a", "b", nil] {
            try await harness.post("/people/lea@example.com/credentials", asked, in: world)
        }
        let address = try #require(MailAddress(relay))
        for (user, world) in [("b", "b"), (nil, nil), ("none", nil)] as [(String?, String?)] {
            let found = await harness.worlds.recipient(address, user: user)
            #expect(found.name?.text == world)
        }
    }

    @Test func commandsMayComeAllAtOnce() async throws {
        try await withMailClient { client, emulator in
            try await client.send(
                """
                EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<maya@example.com>\r\nDATA\r\nx\r\n.\r\n\
                MAIL FROM:<>\r\nRCPT TO:<noah@example.com>\r\nDATA\r\ny\r\n.\r\nQUIT\r\n
                """
            )
            let codes = try await client.rest().map { String($0.prefix(3)) }
            let mail = ["250", "250", "354", "250"]
            #expect(codes == ["220", "250"] + mail + mail + ["221"])
            #expect(try await emulator.mail()["messages"]?.arrayValue?.count == 2)
        }
    }

    @Test func recipientsAreRefusedAtOnceAndSendersAfterTheMessage() async throws {
        try await withMailClient { client, emulator in
            let relay = try await Self.relayAddress(emulator)
            _ = try await client.answer()
            try await client.begin("HELO test.example", "MAIL FROM:<a@other.example>")
            let gone = try await client.ask("RCPT TO:<gone@privaterelay.appleid.com>")
            #expect(gone == "550 5.7.1 Email rejected due to transformation error")
            try await client.begin("RCPT TO:<\(relay)>", "DATA")
            let answer = try await client.ask("Subject: x\r\n\r\nx\r\n.")
            #expect(answer == "550 5.1.1 <a@other.example>: unauthorized sender")
            let list = try await emulator.mail()
            #expect(list["messages"] == [] && list["bounces"]?.arrayValue?.count == 2)
        }
    }

    @Test func allConversationsTogetherHoldNoMoreThanTheirMemory() async throws {
        let memory = SMTPMemory(maximumByteCount: 10_000)
        let mail = String(repeating: String(repeating: "x", count: 98) + "\r\n", count: 60)
        try await withMailReceiver(memory: memory) { emulator, port in
            try await MailClient.connected(to: port) { client in
                _ = try await client.answer()
                try await client.begin("EHLO a")
                // As if another conversation had the half of a mail.
                #expect(memory.change(by: 6_000))
                for answer in [
                    "452 4.3.1 too much mail in progress; try again", "250 2.0.0 delivered as 1",
                ] {
                    try await client.begin("MAIL FROM:<>", "RCPT TO:<maya@example.com>", "DATA")
                    #expect(try await client.ask(mail + "x\r\n.") == answer)
                    if answer.hasPrefix("452") { _ = memory.change(by: -6_000) }
                }
                try await client.send("NOOP\r\nHALF OF A COMM")
                _ = try await client.answer()
            }
            try await waitUntil { memory.heldByteCount == 0 }
        }
    }

    @Test(arguments: ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r"])
    func nothingIsSmuggledBehindABareLineEnd(end: String) async throws {
        try await withMailClient { client, emulator in
            _ = try await client.answer()
            try await client.begin("EHLO a", "MAIL FROM:<>", "RCPT TO:<maya@example.com>", "DATA")
            try await client.send("x\(end)MAIL FROM:<>\r\n")
            #expect(try await client.rest() == ["521 5.5.2 a bare CR or LF is not allowed"])
            #expect(try await emulator.mail()["messages"] == [])
        }
    }

    @Test func aWebPageCanNotPostMail() async throws {
        try await withMailClient { client, emulator in
            _ = try await client.answer()
            try await client.send(
                """
                POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n\r\n\
                EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<maya@example.com>\r\nDATA\r\nx\r\n.\r\n
                """
            )
            let lines = try await client.rest()
            #expect(lines.count == 1 && lines[0].hasPrefix("421 4.7.0 "))
            #expect(try await emulator.mail()["messages"] == [])
        }
    }

    @Test func aRecipientNamedTwiceGetsOneCopy() async throws {
        try await withMailClient { client, _ in
            _ = try await client.answer()
            try await client.begin("EHLO a", "MAIL FROM:<>")
            for address in ["maya@example.com", "Maya@Example.com"] {
                #expect(try await client.ask("RCPT TO:<\(address)>")?.hasPrefix("250 ") == true)
            }
            try await client.begin("DATA")
            #expect(try await client.ask("x\r\n.") == "250 2.0.0 delivered as 1")
        }
    }

    @Test func aConversationEndsAfterItsTime() async throws {
        try await withMailClient(conversationTime: .milliseconds(50)) { client, _ in
            let lines = try await client.rest()
            #expect(lines.last == "421 4.4.2 the session took too long")
        }
    }

    @Test func aConversationEndsAfterSoManyBytes() async throws {
        try await withMailClient(maximumConversationByteCount: 30) { client, _ in
            _ = try await client.answer()
            #expect(try await client.ask("EHLO a") == "250 AUTH PLAIN LOGIN")
            let answer = try await client.ask("NOOP " + String(repeating: "a", count: 20))
            #expect(answer == "421 4.7.0 too much data in this session")
        }
    }

    @Test func aSilentClientIsSentAway() async throws {
        try await withMailClient(idleTime: .milliseconds(50)) { client, _ in
            let lines = try await client.rest()
            #expect(lines.last?.hasPrefix("421 4.4.2 ") == true)
        }
    }

    @Test func aClientThatHangsUpLeavesNothing() async throws {
        try await withMailReceiver { emulator, port in
            try await MailClient.connected(to: port) { client in
                _ = try await client.answer()
                try await client.send("EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<maya@example.com>\r\n")
                try await client.send("DATA\r\nhalf")
            }
            try await MailClient.connected(to: port) { client in
                _ = try await client.answer()
                #expect(try await client.ask("NOOP")?.hasPrefix("250 ") == true)
            }
            #expect(try await emulator.mail()["messages"] == [])
        }
    }

    private static func relayAddress(_ emulator: AppleEmulator) async throws -> String {
        let credentials = try await emulator.credentials(
            for: "maya@example.com",
            ["client_id": "com.example.juice", "scopes": ["email"], "email": "hide"]
        )
        return try #require(credentials["email"]?.stringValue)
    }
}
