import AppleEmulator
import AppleIdentity
import Foundation
import Testing

// Fidelity: mail-2
/// Inboxes, replies and their limits.
final class InboxTests: BoxSuite {
    @Test func theListIsOfOnePersonOrOfAll() async throws {
        await box.mail(to: ["maya@example.com", "noah@example.com"])
        await box.mail(to: ["nobody@privaterelay.appleid.com"])
        #expect(try await box.mailList("messages").count == 2)
        #expect(try await box.mailList("messages", of: "noah@example.com").count == 1)
        #expect(try await box.mailList("bounces").count == 1)
        #expect(try await box.mailList("bounces", of: "noah@example.com").isEmpty)
        #expect(try await box.mailList("messages", of: "x@example.com").isEmpty)
        await #expect(throws: ControlRefusal.self) { try await box.apple.mail(of: "x") }
    }

    @Test func refusedMailIsShownWithItsContent() async throws {
        let relay = try await box.relayAddress()
        await box.mail(to: [relay], from: "spam@example.net")
        let refused = try await box.apple.mail(id: "1")
        #expect(refused["subject"] == "Hi" && refused["text"] == "Hello.\r\n")
        #expect(refused["smtp"] == "550 5.1.1 <spam@example.net>: unauthorized sender")
        let bounce = try #require(try await box.mailList("bounces").first)
        #expect(bounce["subject"] == "Hi" && bounce["raw"] == nil)
    }

    @Test func aRecipientIsRefusedBeforeTheContentIsSent() async throws {
        await box.mail(to: ["nobody@privaterelay.appleid.com"])
        let refused = try await box.apple.mail(id: "1")
        #expect(refused["byte_count"] == 0 && refused["to"] == "nobody@privaterelay.appleid.com")
    }

    @Test func refusedMailCountsTowardsTheLimit() async throws {
        let relay = try await box.relayAddress()
        let content = Data(repeating: 0x61, count: AppleEmulator.maximumMailByteCount)
        await box.mail(to: [Box.maya])
        for _ in 1...7 { _ = await box.apple.receiveMail(content, from: nil, to: [relay]) }
        #expect(try await box.mailList("bounces").map { $0["id"] } == (3...8).map { .integer($0) })
        #expect(try await box.mailList("messages").isEmpty)
    }

    @Test func anAnswerGoesBackThroughTheRelay() async throws {
        let relay = try await box.relayAddress()
        await box.mail(
            to: [relay],
            [
                "From: news@juice.example.com", "Reply-To: help@juice.example.com",
                "Message-ID: <1@juice.example.com>", "Subject: =?utf-8?B?w4RwZmVs?=", "", "x",
            ]
        )
        let sent = try await box.apple.replyToMail(id: "1", ["text": "Ja, gern – Maya"])
        #expect(sent["from"] == .string(relay) && sent["to"] == "help@juice.example.com")
        #expect(sent["subject"] == "Re: Äpfel" && sent["text"] == "Ja, gern – Maya")
        #expect(sent["state"] == "kept" && sent["in_reply_to"] == 1)
        let raw = try #require(sent["raw"]?.stringValue)
        #expect(raw.contains("In-Reply-To: <1@juice.example.com>"))
        #expect(!raw.contains("maya@example.com"))
        #expect(try await box.mailList("sent", of: Box.maya).count == 1)
    }

    @Test func anAnswerToMailWithoutARelayIsFromTheRealAddress() async throws {
        await box.mail(to: ["maya@example.com"])
        let sent = try await box.apple.replyToMail(id: "1", ["text": "Thanks"])
        #expect(sent["from"] == "maya@example.com" && sent["to"] == "news@juice.example.com")
    }

    @Test func wrongAnswersAreRefused() async {
        await box.mail(to: ["maya@example.com"])
        func expect(
            _ mistakes: [(JSONObject, String)],
            _ kind: ControlRefusal.Kind = .wrongField,
            id: String = "1"
        ) async {
            await box.expectRefused(mistakes, kind: kind) {
                try await box.apple.replyToMail(id: id, $0)
            }
        }
        let long = JSONValue.string(String(repeating: "x", count: 65_537))
        await expect([
            ([:], "text"), (["text": ""], "text"), (["text": 7], "text"), (["text": long], "text"),
        ])
        await expect([(["text": "x", "to": "y"], "to")], .unknownField)
        for id in ["2", "one"] { await expect([(["text": "x"], "id")], .notFound, id: id) }
    }

    @Test func nobodyAnswersWhoOrWhereNobodyIs() async throws {
        await box.mail(to: ["maya@example.com"], from: nil, ["Subject: none", "", "x"])
        await box.expectRefusal(.conflict) { try await $0.replyToMail(id: "1", ["text": "x"]) }
        await box.mail(to: ["maya@example.com"])
        try await box.apple.deletePerson(Box.maya)
        await box.expectRefusal(.conflict) { try await $0.replyToMail(id: "2", ["text": "x"]) }
    }

    @Test func clearingAndResettingForgetMail() async throws {
        await box.mail(to: ["maya@example.com"])
        await box.apple.clearMail()
        #expect(try await box.mailList("messages").isEmpty)
        await box.mail(to: ["maya@example.com"])
        try await box.apple.reset()
        #expect(try await box.mailList("messages").isEmpty)
        let sources = try #require(await box.apple.state()["mail_sources"]?.arrayValue)
        #expect(sources.count == 1)
    }

    @Test func onlyTheLastThousandAreKept() async throws {
        for _ in 0..<1_001 {
            await box.mail(to: ["maya@example.com"])
            await box.mail(to: ["nobody@privaterelay.appleid.com"])
        }
        let messages = try await box.mailList("messages")
        #expect(messages.count == 1_000 && messages.first?["id"] == 3)
        #expect(try await box.mailList("bounces").count == 1_000)
    }
}
