import Foundation
import MailTransport
import Testing

@Suite("Sending mail to a server", .timeLimit(.minutes(2)))
struct SMTPTransportTests {
    private let name = "mail.example.com"

    @Test("encrypts with STARTTLS, authenticates, and sends the message")
    func startTLS() async throws {
        try await MailServer.with(.init(name: name, user: "juice", password: "p@ss:w/rd")) {
            server in
            let address = "smtp://juice:p%40ss%3Aw%2Frd@\(name):\(server.port)"
            let transport = try transport(to: address, server)
            try await transport.check(greetingAs: "juice.example.com")
            try await transport.send(try .sample())
            let received = try await server.received()
            #expect(received.isEncrypted)
            #expect(received.isAuthenticated)
            #expect(received.greeting == "juice.example.com")
            #expect(received.sender == "no-reply@juice.example.com")
            #expect(received.recipients == ["maya@example.com"])
        }
    }

    @Test("encrypts from the first byte")
    func tls() async throws {
        let options = MailServer.Options(name: name, isTLS: true, user: "juice", password: "apple")
        try await MailServer.with(options) { server in
            let address = "smtps://juice:apple@\(name):\(server.port)"
            try await transport(to: address, server).send(try .sample())
            let received = try await server.received()
            #expect(received.isEncrypted)
            #expect(received.isAuthenticated)
        }
    }

    @Test("works without TLS on this machine, even with a password")
    func loopback() async throws {
        try await MailServer.with(.init(user: "juice", password: "apple")) { server in
            let address = try SMTPServer("smtp://juice:apple@localhost:\(server.port)")
            try await SMTPTransport(to: address).send(try .sample())
            let received = try await server.received()
            #expect(!received.isEncrypted)
            #expect(received.isAuthenticated)
        }
    }

    @Test("works without TLS and without a password if the URL says so")
    func withoutTLS() async throws {
        try await MailServer.with { server in
            let transport = try transport(to: "smtp://\(name):\(server.port)?tls=off", server)
            try await transport.send(try .sample())
            let received = try await server.received()
            #expect(!received.isEncrypted)
            #expect(!received.isAuthenticated)
        }
    }

    @Test("reports a wrong password, and sends nothing")
    func wrongPassword() async throws {
        try await MailServer.with(.init(name: name, user: "juice", password: "apple")) { server in
            let transport = try transport(to: "smtp://juice:pear@\(name):\(server.port)", server)
            for attempt in [
                { try await transport.send(try .sample()) },
                {
                    try await transport.check(greetingAs: "juice.example.com")
                },
            ] as [() async throws -> Void] {
                let failure = await #expect(throws: SMTPFailure.self) { try await attempt() }
                #expect(failure?.code == "smtp_535")
                #expect(failure?.isRetryable == false)
                #expect(failure?.hint.contains("SIWA_SMTP_URL") == true)
                #expect(failure?.hint.contains("pear") == false)
            }
        }
    }

    @Test("sends nothing to a server without TLS, nor to one with another's certificate")
    func untrusted() async throws {
        try await MailServer.with { server in
            let transport = try transport(to: "smtp://juice:apple@\(name):\(server.port)", server)
            let failure = await #expect(throws: SMTPFailure.self) {
                try await transport.send(try .sample())
            }
            #expect(failure?.code == "smtp_tls_missing")
            #expect(failure?.isRetryable == true)
        }
        for (certificate, isTrusted) in [("other.example.com", true), (name, false)] {
            for scheme in ["smtp", "smtps"] {
                let options = MailServer.Options(name: certificate, isTLS: scheme == "smtps")
                try await MailServer.with(options) { server in
                    let transport = SMTPTransport(
                        to: try SMTPServer("\(scheme)://\(name):\(server.port)"),
                        in: server.surroundings(name: name, isTrusted: isTrusted)
                    )
                    let failure = await #expect(throws: SMTPFailure.self) {
                        try await transport.send(try .sample())
                    }
                    #expect(failure?.code == "smtp_tls_failed")
                    #expect(failure?.isRetryable == true)
                }
            }
        }
    }

    @Test(
        "distinguishes temporary from permanent failures, and repeats no email address",
        arguments: [
            ("rcpt", "450 4.2.1 maya@example.com is busy", "smtp_450", "4.2.1", true),
            ("rcpt", "550 5.1.1 <maya@example.com> is nobody", "smtp_550", "5.1.1", false),
            ("data", "452 4.3.1 no space for maya@example.com", "smtp_452", "4.3.1", true),
            ("data", "554 5.7.1 maya@example.com is spam", "smtp_554", "5.7.1", false),
            ("data", "554 no", "smtp_554", nil, false),
            ("mail", "550 5.7.1 relaying denied", "smtp_550", "5.7.1", false),
            ("rcpt", "550 5.7.1 relaying denied", "smtp_550", "5.7.1", false),
        ] as [(String, String, String, String?, Bool)]
    )
    func refusals(
        command: String,
        reply: String,
        code: String,
        status: String?,
        isRetryable: Bool
    ) async throws {
        try await MailServer.with(.init(replies: [command: reply])) { server in
            let address = try SMTPServer("smtp://127.0.0.1:\(server.port)")
            let failure = await #expect(throws: SMTPFailure.self) {
                try await SMTPTransport(to: address).send(try .sample())
            }
            #expect(failure?.code == code)
            #expect(failure?.enhancedStatus == status)
            #expect(failure?.isRetryable == isRetryable)
            #expect(failure?.isOfRecipient == (command == "rcpt"))
            #expect(failure?.hint.contains("maya") == false)
        }
    }

    @Test("reports an unreachable server as retryable, and works once it is back")
    func away() async throws {
        var port = 0
        try await MailServer.with { port = $0.port }
        let transport = SMTPTransport(to: try SMTPServer("smtp://127.0.0.1:\(port)"))
        let failure = await #expect(throws: SMTPFailure.self) {
            try await transport.send(try .sample())
        }
        #expect(failure?.code == "smtp_unreachable")
        #expect(failure?.isRetryable == true)
        try await MailServer.with(.init(port: port)) { server in
            try await transport.send(try .sample())
            _ = try await server.received()
        }
    }

    @Test(
        "gives up on a silent server, after the limit for connecting before a message",
        arguments: [
            ("greeting", SMTPTimeLimits(connection: .milliseconds(300), conversation: .hours)),
            ("content", SMTPTimeLimits(connection: .hours, conversation: .seconds(3))),
            ("end", SMTPTimeLimits(connection: .hours, conversation: .seconds(3))),
        ]
    )
    func silence(point: String, limits: SMTPTimeLimits) async throws {
        try await MailServer.with(.init(stopsAt: point)) { server in
            let address = try SMTPServer("smtp://127.0.0.1:\(server.port)")
            let transport = SMTPTransport(to: address, limits: limits)
            let failure = await #expect(throws: SMTPFailure.self) {
                try await transport.send(try .sample())
            }
            #expect(try await server.stopped() == point)
            #expect(failure?.code == "smtp_timeout")
            #expect(failure?.isRetryable == true)
        }
    }

    @Test("does not wait for a server that has accepted the message and is silent")
    func goodbye() async throws {
        try await MailServer.with(.init(stopsAt: "goodbye")) { server in
            let address = try SMTPServer("smtp://127.0.0.1:\(server.port)")
            try await SMTPTransport(to: address).send(try .sample())
            #expect(try await server.stopped() == "goodbye")
        }
    }

    @Test("reports a server that disconnects during the conversation as retryable")
    func hangUp() async throws {
        try await MailServer.with(.init(stopsAt: "hangUp")) { server in
            let address = try SMTPServer("smtp://127.0.0.1:\(server.port)")
            let failure = await #expect(throws: SMTPFailure.self) {
                try await SMTPTransport(to: address).send(try .sample())
            }
            #expect(failure?.code == "smtp_failed")
            #expect(failure?.isRetryable == true)
        }
    }

    @Test("sends many messages at once, each to its recipient")
    func many() async throws {
        try await MailServer.with { server in
            let transport = SMTPTransport(to: try SMTPServer("smtp://127.0.0.1:\(server.port)"))
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        try await transport.send(try .sample(to: "person\(number)@example.com"))
                    }
                }
                try await group.waitForAll()
            }
            var recipients: Set<String> = []
            for _ in 0..<20 { recipients.formUnion(try await server.received().recipients) }
            #expect(recipients.count == 20)
        }
    }

    @Test("keeps a connection for further messages")
    func kept() async throws {
        try await MailServer.with(.init(name: name, user: "juice", password: "apple")) { server in
            let transport = try transport(to: "smtp://juice:apple@\(name):\(server.port)", server)
            for _ in 0..<3 {
                try await transport.send(try .sample())
                #expect(try await server.received().connection == 1)
            }
        }
    }

    @Test("repeats on a new connection a message that a kept one does not take")
    func limited() async throws {
        try await MailServer.with(.init(messageLimit: 2)) { server in
            let transport = SMTPTransport(to: try SMTPServer("smtp://127.0.0.1:\(server.port)"))
            for connection in [1, 1, 2, 2, 3] {
                try await transport.send(try .sample())
                #expect(try await server.received().connection == connection)
            }
        }
    }

    @Test("refuses a message that is too long before it is sent")
    func tooLong() async throws {
        let transport = SMTPTransport(to: try SMTPServer("smtp://127.0.0.1:1"))
        let text = String(repeating: "x", count: SMTPTransport.maximumMessageByteCount)
        let failure = await #expect(throws: SMTPFailure.self) {
            try await transport.send(try .sample(text: text))
        }
        #expect(failure?.code == "mail_unsendable")
        #expect(failure?.isRetryable == false)
    }

    private func transport(to address: String, _ server: MailServer) throws -> SMTPTransport {
        SMTPTransport(to: try SMTPServer(address), in: server.surroundings(name: name))
    }
}

extension Duration {
    /// Longer than any test.
    fileprivate static let hours = Duration.seconds(7200)
}
