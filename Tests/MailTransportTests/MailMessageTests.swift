import Foundation
import MailTransport
import Testing

@Suite("A mail message", .timeLimit(.minutes(2)))
struct MailMessageTests {
    @Test("is parsed by another implementation without defects")
    func whole() async throws {
        let text = """
            Grüße an Inês, 名前 und 👩‍👩‍👧‍👦.
            .a line that begins with a dot
            .
            From here on, a blank at the end: \u{20}
            a tab:\t
            1 + 1 = 2 =3D
            \(String(repeating: "long ", count: 60))
            \(String(repeating: "ü", count: 200))

            """
        let message = try MailMessage.sample(
            from: "Säfte & Co. <no-reply@juice.example.com>",
            name: #"Maya "the \ juicer" Lindgren"#,
            subject:
                "Ihr neues Passwort für Säfte & Co. – es ist ganz frisch 🍊, und dieser Betreff ist lang",
            text: text,
            html: "<p style=\"color: red\">\(text)</p>\n"
        )
        let received = try await delivered(message)
        #expect(received.defects == [])
        #expect(received.text == text)
        #expect(received.html == message.html)
        #expect(received.types == ["multipart/alternative", "text/plain", "text/html"])
        #expect(received.field("From") == [#""Säfte & Co." <no-reply@juice.example.com>"#])
        #expect(received.field("To") == [#""Maya \"the \\ juicer\" Lindgren" <maya@example.com>"#])
        #expect(received.field("Subject") == [message.subject])
        #expect(received.field("Date") == ["Wed, 21 Jan 2026 12:53:20 +0000"])
        #expect(received.field("Message-ID") == ["<0123456789abcdef@juice.example.com>"])
        #expect(received.field("Auto-Submitted") == ["auto-generated"])
        #expect(received.field("Content-Language") == ["en"])
        let lines = received.raw.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
        #expect(received.raw.utf8.allSatisfy { $0 < 0x80 })
        #expect(!received.raw.replacing("\r\n", with: "").contains { $0 == "\r" || $0 == "\n" })
    }

    @Test(
        "has no other header or recipient with any name or subject",
        arguments: [
            "Maya\r\nBcc: noah@example.com", "Maya\nBcc: noah@example.com",
            "Maya\rBcc: noah@example.com", "Maya\r\n\r\n<p>Injected</p>",
            "Maya\u{2028}Bcc: noah@example.com", "Maya\u{85}Bcc: noah@example.com",
            "Maya\0Bcc: noah@example.com", "=?utf-8?Q?=0D=0ABcc=3A_noah=40example.com?=",
            "Maya\" <noah@example.com>, \"", "Maya, noah@example.com;", "Maya\r\n.\r\nMAIL FROM:<>",
            "ü\r\nBcc: noah@example.com",
        ]
    )
    func injection(text: String) async throws {
        let received = try await delivered(try .sample(name: text, subject: text))
        #expect(received.recipients == ["maya@example.com"])
        #expect(received.field("Bcc") == [])
        #expect(received.defects == [])
        #expect(
            Set(received.fields.map { $0[0] })
                == [
                    "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted",
                    "Content-Language", "MIME-Version", "Content-Type",
                ]
        )
        #expect(received.text == "Hello.\n")
        #expect(received.field("To").first?.hasSuffix("<maya@example.com>") == true)
    }

    @Test("reads a sender with a name, with quotes around it, and without")
    func mailboxes() throws {
        for text in ["Juice <a@example.com>", "\"Juice\" <a@example.com>", "Juice<a@example.com>"] {
            let mailbox = try Mailbox(text)
            #expect(mailbox.name == "Juice")
            #expect(mailbox.address == "a@example.com")
        }
        for text in ["a@example.com", "<a@example.com>", " <a@example.com>"] {
            let mailbox = try Mailbox(text)
            #expect(mailbox.name == nil)
            #expect(mailbox.domain == "example.com")
        }
        #expect(try Mailbox("jürgen@müller.example").domain == "müller.example")
    }

    @Test(
        "refuses an invalid email address",
        arguments: [
            "", "@", "a", "a@", "@example.com", "a@b@example.com", "a b@example.com",
            "a@exam ple.com", "a@example.com\r\nRCPT TO:<b@example.com>", "a@example.com\n",
            "a\r@example.com", "a>@example.com", "<<a@example.com>>", "a@example..com",
            "a@.example.com", "a@example.com.", "a@-example.com", ".a@example.com",
            "a.@example.com",
            "\"a b\"@example.com", "a@[127.0.0.1]", "a@example.com> SIZE=1", "a\0@example.com",
            "a\u{2028}@example.com", "a\u{200B}@example.com", "Juice a@example.com",
            String(repeating: "a", count: 65) + "@example.com",
            "a@" + String(repeating: "example.", count: 32) + "com",
        ]
    )
    func notAnAddress(text: String) {
        #expect(throws: SMTPAddressError.self) { try Mailbox(name: nil, address: text) }
        #expect(throws: SMTPAddressError.self) { try Mailbox("Juice <\(text)>") }
    }

    @Test("truncates a name and a subject that are too long")
    func limits() throws {
        let long = String(repeating: "ü", count: 10_000)
        let message = try MailMessage.sample(name: long, subject: long)
        #expect(message.subject.count == 200)
        #expect(message.to.name?.count == 100)
    }

    private func delivered(_ message: MailMessage) async throws -> MailServer.Received {
        let received = Received()
        try await MailServer.with { server in
            let address = try SMTPServer("smtp://127.0.0.1:\(server.port)")
            try await SMTPTransport(to: address).send(message)
            received.message = try await server.received()
        }
        return try #require(received.message)
    }
}

private final class Received {
    var message: MailServer.Received?
}
