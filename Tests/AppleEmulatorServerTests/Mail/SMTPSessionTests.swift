import AppleEmulator
import Foundation
import Testing

@testable import AppleEmulatorServer

/// What the mail server says, without sockets and without people.
@Suite struct SMTPSessionTests {
    /// The code of each answer; every recipient is accepted.
    private func codes(_ commands: [String]) -> [Int] {
        var session = SMTPSession()
        return commands.map { code(session.step(.command(Array($0.utf8))), &session) }
    }

    private func code(_ step: SMTPSession.Step, _ session: inout SMTPSession) -> Int {
        switch step {
        case .answer(let answer), .startTLS(let answer), .readMessage(let answer),
            .end(let answer):
            answer.code
        case .admit(let address, _): session.recipient(address, wasRefusedWith: nil).code
        case .deliver: 0
        }
    }

    @Test func aConversation() {
        #expect(
            codes([
                "ehlo client.example", "MAIL FROM:<a@b.example> SIZE=9 BODY=8BITMIME SMTPUTF8",
                "RCPT TO:<c@d.example>", "rcpt to: <@x,@y:\"e >\"@d.example>", "DATA", "NOOP x",
                "VRFY c", "RSET", "MAIL FROM:<>", "HELO other", "MAIL FROM:<>", "QUIT",
            ]) == [250, 250, 250, 250, 354, 250, 252, 250, 250, 250, 250, 221]
        )
    }

    @Test(arguments: [
        ("MAIL FROM:<a@b>", 503), ("RCPT TO:<a@b>", 503), ("DATA", 503), ("EHLO", 501),
        ("EHLO a b", 501), ("HELO ", 501), ("", 500), ("WHAT", 500), ("STARTTLS", 502),
        ("AUTH PLAIN", 503), ("EXPN a", 502), ("BDAT 3", 502), ("RSET now", 501),
        ("QUIT now", 501), ("NO\u{0}OP", 500), ("NOOP \t", 500),
    ])
    func wrongWithoutAGreeting(command: String, code: Int) { #expect(codes([command]) == [code]) }

    @Test func startingTLS() {
        var session = SMTPSession(offersTLS: true)
        func code(_ command: String) -> Int {
            self.code(session.step(.command(Array(command.utf8))), &session)
        }
        #expect(code("STARTTLS") == 503)
        #expect(code("EHLO x") == 250)
        #expect(code("STARTTLS now") == 501)
        #expect(code("STARTTLS") == 220)
        #expect(code("MAIL FROM:<a@b>") == 250)
        #expect(code("STARTTLS") == 503)
    }

    @Test(arguments: [
        ("MAIL", 501), ("MAIL FROM", 501), ("MAIL FROM:a@b", 501), ("MAIL FROM:<a@b", 501),
        ("MAIL TO:<a@b>", 501), ("MAIL FROM:<a>", 501), ("MAIL FROM:<a@b>x", 501),
        ("MAIL FROM:<a@b> SIZE=x", 501), ("MAIL FROM:<a@b> SIZE=1 size=2", 501),
        ("MAIL FROM:<a@b> SIZE=20971521", 552),
        ("MAIL FROM:<a@b> SIZE=99999999999999999999", 552), ("MAIL FROM:<a@b> SIZE", 555),
        ("MAIL FROM:<a@b> BODY=BINARYMIME", 555), ("MAIL FROM:<a@b> AUTH=<>", 555),
        ("MAIL FROM:<a@b> =", 501), ("MAIL FROM:<a@b> SIZE=", 501), ("MAIL FROM:<ä@b>", 553),
        ("MAIL FROM:<a@b> SMTPUTF8=1", 555),
    ])
    func wrongSenders(command: String, code: Int) {
        #expect(codes(["EHLO x", command]).last == code)
    }

    @Test(arguments: [
        ("RCPT", 501), ("RCPT TO:<>", 501), ("RCPT TO:a@b", 501),
        ("RCPT TO:<a@b> NOTIFY=NEVER", 555),
        ("RCPT TO:<ä@b>", 553), ("DATA", 554), ("DATA x", 501), ("MAIL FROM:<a@b>", 503),
        ("RCPT TO:<Postmaster>", 550), ("rcpt to: <postmaster>", 550),
    ])
    func wrongRecipients(command: String, code: Int) {
        #expect(codes(["EHLO x", "MAIL FROM:<a@b>", command]).last == code)
    }

    @Test(arguments: [
        "GET / HTTP/1.1", "post /", "PUT /", "HEAD /", "OPTIONS *", "CONNECT a:1", "PATCH /",
        "DELETE /", "TRACE /", "PROPFIND /x HTTP/1.0", "PRI * HTTP/2.0", "Host: 127.0.0.1:8025",
        "host:x",
    ])
    func whoSpeaksHTTPIsNotListenedTo(line: String) {
        var session = SMTPSession()
        let end = MailReply(421, "4.7.0", "this is a mail server, but the client sent HTTP")
        #expect(session.step(.command(Array(line.utf8))) == .end(end))
        #expect(codes(["EHLO x", line]) == [250, 421])
    }

    @Test func aParameterWithoutANameIsToldSo() {
        var session = SMTPSession()
        _ = session.step(.command(Array("EHLO x".utf8)))
        let step = session.step(.command(Array("MAIL FROM:<a@b.c> =".utf8)))
        #expect(step == .answer(MailReply(501, "5.5.4", "a parameter has no name")))
    }

    @Test func whatIsNotUTF8IsRefused() {
        var session = SMTPSession()
        let step = session.step(.command([0x4E, 0xFF]))
        #expect(code(step, &session) == 500)
    }

    @Test func aMailHasAHundredRecipients() {
        let recipients = (1...101).map { "RCPT TO:<a\($0)@b>" }
        let codes = codes(["EHLO x", "MAIL FROM:<>"] + recipients + ["DATA"])
        #expect(codes.suffix(3) == [250, 452, 354])
    }

    @Test func tooManyErrorsAndTooManyCommandsEndIt() {
        #expect(codes(Array(repeating: "WHAT", count: 3)) == [500, 500, 421])
        let wrong = ["EHLO x"] + Array(repeating: "WHAT", count: 20)
        #expect(codes(wrong).suffix(2) == [500, 421])
        let commands = codes(Array(repeating: "NOOP", count: SMTPSession.maximumCommandCount + 1))
        #expect(commands.suffix(2) == [250, 421])
    }

    @Test func theUserNameIsReadFromBothMechanisms() {
        for commands in [
            ["AUTH PLAIN AGNpLTQyAHNlY3JldA=="], ["auth plain", "AGNpLTQyAHNlY3JldA=="],
            ["AUTH LOGIN", "Y2ktNDI=", "c2VjcmV0"], ["AUTH LOGIN Y2ktNDI=", "="],
        ] {
            var session = SMTPSession()
            let steps = (["EHLO x"] + commands).map { session.step(.command(Array($0.utf8))) }
            #expect(steps.last == .answer(MailReply(235, "2.7.0", "any password is accepted")))
            #expect(steps.dropFirst().dropLast().allSatisfy { Self.isChallenge($0) })
            #expect(session.user == "ci-42")
        }
    }

    private static func isChallenge(_ step: SMTPSession.Step) -> Bool {
        if case .answer(let reply) = step { reply.code == 334 } else { false }
    }

    @Test(arguments: [
        (["AUTH"], 504), (["AUTH CRAM-MD5"], 504), (["AUTH PLAIN a b"], 504),
        (["AUTH PLAIN !"], 501), (["AUTH PLAIN Y2k="], 501), (["AUTH PLAIN", "*"], 501),
        (["AUTH LOGIN", "Y2k=", "*"], 501), (["MAIL FROM:<>", "AUTH LOGIN"], 503),
        (["AUTH PLAIN AGEAYg==", "AUTH PLAIN AGEAYg=="], 503),
        (["AUTH LOGIN", "!", "MAIL FROM:<>"], 250),
    ])
    func wrongAuthentication(commands: [String], code: Int) {
        #expect(codes(["EHLO x"] + commands).last == code)
    }

    @Test func whatTheReaderFindsIsAnswered() {
        let answers: [(SMTPReader.Event, Int)] = [
            (.commandTooLong, 500), (.lineTooLong, 554), (.messageTooBig, 552), (.flood, 552),
            (.bareLineEnd, 521),
        ]
        for (event, expected) in answers {
            var session = SMTPSession()
            #expect(code(session.step(event), &session) == expected)
        }
    }

    @Test func answersOfSeveralLines() {
        #expect(MailReply(250, nil, "a\nb").lines == "250-a\r\n250 b\r\n")
        #expect(MailReply(550, "5.1.1", "no").lines == "550 5.1.1 no\r\n")
    }
}
