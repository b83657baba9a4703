import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite struct ConsoleInboxTests {
    private let visitor: ConsoleVisitor

    init() async throws { visitor = try await ConsoleVisitor() }

    @Test func mailsAreListedAndShown() async throws {
        _ = await visitor.emulator.bring(subject: "Your glass", text: "is full")
        let list = try await visitor.open("/console/inbox?person=\(ConsoleWorld.email)")
        #expect(list.contains("href=\"/console/inbox/1\"><bdi>Your glass</bdi>"))
        #expect(list.contains("value=\"maya@example.com\" selected"))
        let page = try await visitor.open("/console/inbox/1")
        #expect(page.contains("is full") && page.contains("noah@shop.example.com"))
        #expect(!page.contains("<iframe"))
    }

    @Test func theMailsPageIsInASandbox() async throws {
        let html = "<p class=\"a\">Hi</p></iframe><script>alert(1)</script>"
        _ = await visitor.emulator.bring(html: html)
        let page = try await visitor.open("/console/inbox/1")
        let frame = "sandbox=\"\" srcdoc=\"&lt;p class=&quot;a&quot;&gt;Hi&lt;/p&gt;&lt;/iframe"
        #expect(page.contains(frame))
        #expect(!page.contains("<script"))
    }

    @Test func refusalsAreShownInApplesWords() async throws {
        let line = await visitor.emulator.receiveMail(
            Data("Subject: x\r\n\r\nx\r\n".utf8),
            from: "news@shop.example.com",
            to: ["nobody@privaterelay.appleid.com"]
        )
        let page = try await visitor.open("/console/inbox")
        #expect(page.contains(line) && page.contains("Likely fix: "))
    }

    @Test func aMailIsAnswered() async throws {
        _ = await visitor.emulator.bring()
        let page = try await visitor.fill(
            "/console/inbox/1/reply",
            [("form", "reply"), ("text", "Fine,\r\nthank you")],
            says: .replied
        )
        #expect(page.contains("Fine,\nthank you") && page.contains("kept"))
        let list = try await visitor.open("/console/inbox")
        #expect(list.contains("Re: Hello"))
    }

    @Test(arguments: ["", String(repeating: "a", count: 64 * 1024 + 1)])
    func answersHaveLimits(text: String) async throws {
        _ = await visitor.emulator.bring()
        let path = "/console/inbox/1/reply"
        try await visitor.expectRefusal(path, "reply", [("text", text)], at: "text")
    }

    @Test func anAnswerNeedsItsMail() async throws {
        let answer = try await visitor.post("/console/inbox/9/reply", [("text", "x")])
        #expect(answer.status == .notFound && answer.text.contains("<h1>Not found</h1>"))
    }

    @Test func theInboxIsCleared() async throws {
        _ = await visitor.emulator.bring(subject: "Your glass")
        let page = try await visitor.fill("/console/inbox/clear", says: .mailCleared)
        #expect(!page.contains("Your glass") && page.contains("No mail yet."))
    }
}
