import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite final class ConsoleInboxTests: ConsoleSuite {
    @Test func mailsAreListedAndShown() async throws {
        _ = await visitor.emulator.bring(subject: "Your glass", text: "is full")
        let list = try await visitor.open("/console/inbox")
        #expect(list.contains("href=\"/console/inbox/1\"><bdi class=\"name\">Your glass</bdi>"))
        let page = try await visitor.open("/console/inbox/1")
        #expect(page.contains("is full") && page.contains("noah@shop.example.com"))
        #expect(!page.contains("<iframe"))
    }

    @Test(arguments: [
        ("your GLASS", true), ("noah@shop", true), (ConsoleWorld.email, true), ("bottle", false),
    ])
    func mailIsSearched(text: String, isFound: Bool) async throws {
        _ = await visitor.emulator.bring(subject: "Your glass")
        let query = text.replacing(" ", with: "+")
        let list = try await visitor.open("/console/inbox?q=\(query)")
        #expect(list.contains("id=\"mail-1\"") == isFound)
        #expect(list.contains("name=\"q\" value=\"\(text)\""))
    }

    @Test func mailIsUnreadUntilItIsOpened() async throws {
        _ = await visitor.emulator.bring()
        let unread = try await visitor.open("/console/inbox")
        #expect(unread.contains("<bdi>1</bdi> unread") && unread.contains("<title>Inbox (1) "))
        _ = try await visitor.open("/console/inbox/1")
        let read = try await visitor.open("/console/inbox")
        #expect(!read.contains("unread</") && read.contains("<title>Inbox "))
        #expect(try await visitor.emulator.mail(id: "1")["is_read"] == true)
    }

    @Test func theMailsPageIsInASandbox() async throws {
        let html = "<p class=\"a\">Hi</p></iframe><script>alert(1)</script>"
        _ = await visitor.emulator.bring(html: html)
        let page = try await visitor.open("/console/inbox/1")
        let sandbox = try #require(page.firstMatch(of: #/ sandbox="([^"]*)"/#)).output.1
        #expect(sandbox == "allow-same-origin allow-popups allow-popups-to-escape-sandbox")
        let base = "srcdoc=\"&lt;base target=&quot;_blank&quot;&gt;"
        #expect(page.contains(base + "&lt;p class=&quot;a&quot;&gt;Hi&lt;/p&gt;&lt;/iframe"))
        #expect(page.matches(of: #/<script>/#).count == 1 && !page.contains("<script>alert"))
    }

    @Test(arguments: [
        ("http://a.example/b?c=d&e", "http://a.example/b?c=d&amp;e", ""),
        ("(https://a.example/).", "https://a.example/", ")."),
        ("<https://a.example/b>", "https://a.example/b", "&gt;"),
    ])
    func webAddressesInTextAreLinks(text: String, url: String, rest: String) async throws {
        _ = await visitor.emulator.bring(text: "Go to \(text)")
        let page = try await visitor.open("/console/inbox/1")
        let link = "<a href=\"\(url)\" target=\"_blank\" rel=\"noopener\">\(url)</a>"
        #expect(page.contains(link + rest + "\r\n</pre>"))
    }

    @Test func refusalsAreShownInApplesWords() async throws {
        let line = await visitor.emulator.receiveMail(
            Data("Subject: x\r\n\r\nx\r\n".utf8),
            from: "news@shop.example.com",
            to: ["nobody@privaterelay.appleid.com"]
        )
        let list = try await visitor.open("/console/inbox")
        #expect(list.contains(line) && list.contains("href=\"/console/inbox/1\""))
        let page = try await visitor.open("/console/inbox/1")
        #expect(page.contains(line) && page.contains("Likely fix: "))
        #expect(page.contains("before your server sent the message"))
        #expect(!page.contains("action=\"/console/inbox/1/reply\""))
    }

    @Test func aMailIsAnswered() async throws {
        _ = await visitor.emulator.bring()
        let page = try await visitor.fill(
            "/console/inbox/1/reply",
            [("form", "reply"), ("text", "Fine,\r\nthank you")],
            says: .replied
        )
        #expect(page.contains("Fine,\nthank you") && page.contains("kept"))
        #expect(try await visitor.open("/console/inbox").contains("Re: Hello"))
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
