import Accounts
import MailTransport
import Testing

@Suite("A valid email address")
struct MailAddressTests {
    @Test(
        "is one that an email can be sent to",
        arguments: [
            "maya@example.org", "m.l+juice@mail.example.co.uk", "o'brien@example.org",
            "a/b@example.org", "zoë@bücher.example", "a@xn--bcher-kva.example",
            "a@" + String(repeating: "b", count: 63) + ".org",
        ]
    )
    func accepted(_ text: String) throws {
        #expect(EmailAddress.isWellFormed(text))
        #expect(try Mailbox(text).address == text)
    }

    @Test(
        "is none of these, at sign-up and when sending alike",
        arguments: [
            "a@b_c.org", "🍊@example.org", "a@🍊.org", "a@example-.org", "a@example.org-",
            "a@example.org/x", "a@exam²ple.org", "a²@example.org", "a@example.org?b=c",
            "a@exam!ple.org", "a@example.o%72g", "a@example.org#c", "a@b$c.org", "-a@example.org",
            "a@" + String(repeating: "b", count: 64) + ".org",
        ]
    )
    func refused(_ text: String) {
        #expect(!EmailAddress.isWellFormed(text))
        #expect(throws: SMTPAddressError.self) { try Mailbox(name: nil, address: text) }
    }
}
