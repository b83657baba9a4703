import MailTransport
import Testing

@Suite("A mail server URL")
struct SMTPServerTests {
    @Test(
        "has host, port and encryption",
        arguments: [
            ("smtp://mail.example.com", "mail.example.com", 587, .startTLS),
            ("SMTP://Mail.Example.com:25/", "mail.example.com", 25, .startTLS),
            ("smtps://mail.example.com", "mail.example.com", 465, .tls),
            ("smtps://user:pw@mail.example.com:2465", "mail.example.com", 2465, .tls),
            ("smtp://localhost:1025", "localhost", 1025, .none),
            ("smtp://user:pw@127.0.0.1:1025", "127.0.0.1", 1025, .none),
            ("smtp://[::1]:1025", "[::1]", 1025, .none),
            ("smtps://localhost", "localhost", 465, .tls),
            ("smtp://apple:8025?tls=off", "apple", 8025, .none),
            ("smtp://apple:8025/?tls=off", "apple", 8025, .none),
        ] as [(String, String, Int, SMTPServer.Security)]
    )
    func parts(text: String, host: String, port: Int, security: SMTPServer.Security) throws {
        let server = try SMTPServer(text)
        #expect(server.host == host)
        #expect(server.port == port)
        #expect(server.security == security)
    }

    @Test(
        "is refused with a correction",
        arguments: [
            "", "mail.example.com", "mail.example.com:587", "http://mail.example.com", "smtp://",
            "smtp://:587", "smtp://mail.example.com:0", "smtp://mail.example.com:65536",
            "smtp://mail.example.com/path", "smtp://mail.example.com?a=b",
            "smtp://mail.example.com#x", "smtp://secret-user@mail.example.com",
            "smtp://:secret@mail.example.com", "smtp://secret-user:@mail.example.com",
            "smtp://secret%0d%0aRSET:pw@mail.example.com", "smtp://user:secret%00@mail.example.com",
            "smtp://user:" + String(repeating: "secret", count: 100) + "@mail.example.com",
            "smtp://us er:secret@mail.example.com:port", "smtps://mail.example.com?tls=off",
            "smtp://user:secret@mail.example.com?tls=off", "smtp://mail.example.com?tls=on",
            "smtp://mail.example.com?tls=off&tls=off", "smtp://mail.example.com?",
        ]
    )
    func refused(text: String) {
        let error = #expect(throws: SMTPAddressError.self) { try SMTPServer(text) }
        #expect(error?.fix.isEmpty == false)
        #expect(error?.message.contains("secret") == false)
    }

    @Test("never reveals the password")
    func hidden() throws {
        let server = try SMTPServer("smtps://secret-user:secret-word@mail.example.com")
        var dumped = ""
        dump(server, to: &dumped)
        for text in ["\(server)", String(reflecting: server), dumped] {
            #expect(text.contains("mail.example.com"))
            #expect(!text.contains("secret"))
        }
    }
}
