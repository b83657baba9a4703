import Accounts
import AccountsServer
import AppleIdentity
import Foundation
import HTMLPages
import MailTransport
import Testing

@Suite("The texts of an email")
struct MailRendererTests {
    @Test(
        "exist for every kind of email, in each language",
        arguments: MailOrder.Kind.allCases,
        PageLanguage.allCases
    )
    func words(kind: MailOrder.Kind, language: PageLanguage) throws {
        let message = try message(order(kind, language: language.tag))
        #expect(message.language == language.tag)
        let direction = language.isRightToLeft ? " dir=\"rtl\"" : ""
        #expect(message.html.contains("<html lang=\"\(language.tag)\"\(direction)>"))
        #expect(message.subject.contains("Juice"))
        for text in [message.text, message.html, message.subject] {
            // A missing text appears in brackets, and a missing value in braces.
            #expect(!text.contains { "[]".contains($0) })
            #expect(!text.contains("{{"))
        }
        let isNamed = kind != .verification
        for text in [message.text, message.html] {
            #expect(["2026", "12:53", "UTC"].allSatisfy(text.contains))
            #expect(["Firefox", "Linux"].allSatisfy(text.contains) == isNamed)
        }
    }

    @Test("end with a link only where the user can do something")
    func links() throws {
        let links: [MailOrder.Kind: String] = [
            .verification: "/verify-email?token=secret_of-the%2Blink",
            .passwordReset: "/reset-password?token=secret_of-the%2Blink",
            .newSignIn: "/", .passwordChanged: "/", .appleLinked: "/", .appleUnlinked: "/",
            .emailChangeRequested: "/", .emailChanged: "/", .passwordRemoved: "/",
        ]
        for kind in MailOrder.Kind.allCases {
            let message = try message(order(kind))
            let found = message.html.matches(of: /href="([^"]*)"/).map { String($0.output.1) }
            let link = links[kind].map { TestServer.publicURL + $0 }
            #expect(Set(found) == Set([link].compactMap(\.self)))
            #expect(link.map(message.text.contains) ?? !message.text.contains("https://"))
        }
    }

    @Test("have buttons of the team's color")
    func accent() throws {
        let html = try message(order(.newSignIn), accent: AccentColors("#1d4ed8")).html
        #expect(html.contains("background:#1d4ed8;color:#ffffff"))
        #expect(!html.contains("#b6420a"))
    }

    @Test("say where to end the link at Apple when a deletion cannot end it")
    func appleLink() throws {
        let words = ["en": "under “Sign in with Apple”", "de": "unter „Mit Apple anmelden“"]
        for (language, words) in words {
            for remains in [true, false] {
                let order = order(.accountDeleted, language: language, appleLinkRemains: remains)
                let message = try message(order)
                #expect(message.text.contains(words) == remains)
                #expect(message.html.contains(words) == remains)
            }
        }
    }

    @Test("name the linked Apple Account, and since when it is linked")
    func remainingWayIn() throws {
        let times = ["en": "21 January 2026 at 12:53", "de": "21. Januar 2026 um 12:53"]
        for (language, time) in times {
            let linkedAt = Date(timeIntervalSince1970: 1_769_000_000)
            let order = MailOrder(
                kind: .passwordChanged,
                address: "maya@example.com",
                language: language,
                appleLinkedAt: linkedAt,
                occurredAt: linkedAt.addingTimeInterval(86_400)
            )
            let message = try message(order)
            #expect(message.text.contains(time) && message.html.contains(time))
            #expect(message.text.contains("Apple Account"))
        }
    }

    @Test(
        "name what else to check when it was someone else",
        arguments: [
            (MailOrder.Kind.passwordReset, "en", "change the passwords of your email account"),
            (.passwordReset, "de", "die Passwörter Ihres Postfachs"),
            (.appleLinked, "en", "Also check the email address"),
            (.appleLinked, "de", "Prüfen Sie auch die E-Mail-Adresse"),
            (.appleUnlinked, "en", "Also check the email address"),
            (.appleUnlinked, "de", "Prüfen Sie auch die E-Mail-Adresse"),
        ]
    )
    func advice(kind: MailOrder.Kind, language: String, advice: String) throws {
        let message = try message(order(kind, language: language))
        #expect(message.text.contains(advice) && message.html.contains(advice))
    }

    @Test("undo a change with their link, where they have one", arguments: ["en", "de"])
    func undo(language: String) throws {
        let words = ["en": "Undo the change", "de": "Änderung rückgängig machen"]
        for token in [nil, "secret"] {
            let order = MailOrder(
                kind: .emailChanged,
                address: "maya@example.com",
                language: language,
                linkToken: token,
                occurredAt: Date(timeIntervalSince1970: 1_769_000_000)
            )
            let text = try message(order).text
            #expect(text.contains("/undo-change?token=secret") == (token != nil))
            #expect(text.contains(words[language] ?? "") == (token != nil))
        }
    }

    @Test("say until when a link is valid", arguments: ["en", "de"])
    func validity(language: String) throws {
        let message = try message(order(.passwordReset, language: language))
        #expect(message.text.contains("13:23 UTC"))
        #expect(message.html.contains("13:23 UTC"))
    }

    @Test("are English for users of other languages", arguments: ["it", "", "xx-YY", "de;q=0"])
    func otherLanguage(language: String) throws {
        #expect(try message(order(.newSignIn, language: language)).language == "en")
    }

    @Test("have the app as the sender, unless the sender has a name")
    func sender() throws {
        #expect(try message(order(.newSignIn)).from.name == "Juice")
        let named = try message(order(.newSignIn), from: "Juice Bar <no-reply@juice.example.com>")
        #expect(named.from.name == "Juice Bar")
    }

    @Test("load nothing from the network", arguments: MailOrder.Kind.allCases)
    func nothingRemote(kind: MailOrder.Kind) throws {
        let html = try message(order(kind)).html
        for word in ["src=", "url(", "@import", "<script", "<link", "<img", "http-equiv"] {
            #expect(!html.contains(word))
        }
        #expect(html.contains("prefers-color-scheme: dark"))
    }

    @Test("contain no markup, line break or link from a stranger", arguments: ["en", "de"])
    func strangers(language: String) throws {
        let message = try message(
            order(
                .newSignIn,
                language: language,
                name: "Maya</p><a href=\"https://evil.example\">\r\n\r\nClick {{subject}}",
                device: "<b>Go</b> to https://www.evil.example/now or evil.example, \r\n{app} 1.2"
            )
        )
        let lines = message.text.components(separatedBy: "\n")
        #expect(!message.html.contains("<b>") && !message.html.contains("href=\"https://evil"))
        let device = try #require(lines.first { $0.contains("evil example") })
        #expect(!device.contains("evil.example") && !device.contains("://"))
        #expect(device.hasPrefix(language == "en" ? "Device: b Go" : "Gerät: b Go"))
        #expect(lines.first?.contains("Click {{subject}}") == true)
    }

    @Test(
        "about a forgotten password, which any client may request, name only known devices",
        arguments: [
            ("Firefox on Linux", "Firefox on Linux"), ("Safari", "Safari"),
            ("Security alert your account is locked. Unlock at https://evil", "Unknown device"),
            ("Firefox on your locked account", "Unknown device"),
            ("evil.example/now", "Unknown device"),
            ("", "Unknown device"),
        ]
    )
    func strangersDevice(device: String, shown: String) throws {
        let message = try message(order(.passwordReset, device: device))
        #expect(message.text.contains("Device: \(shown)\n"))
        for word in ["evil", "locked"] {
            #expect(!message.text.contains(word) && !message.html.contains(word))
        }
    }

    @Test("contain nothing from a stranger for an address that is not confirmed")
    func verification() throws {
        let message = try message(
            order(.verification, name: "evil.example", device: "evil.example")
        )
        #expect(message.to.name == nil)
        #expect(!message.text.contains("evil"))
        #expect(!message.html.contains("evil"))
    }

    @Test("are the same at each attempt, and have the same name")
    func repeated() throws {
        let order = order(.passwordReset)
        let first = try message(order)
        let second = try message(order)
        #expect(first == second)
        #expect(first.identifier == "0123456789abcdef")
    }

    @Test("are sent to no ambiguous address")
    func address() {
        #expect(throws: SMTPAddressError.self) {
            try message(order(.newSignIn, to: "a@example.com>\r\nRCPT TO:<b@example.com"))
        }
    }

    private func message(
        _ order: MailOrder,
        from sender: String = "no-reply@juice.example.com",
        accent: AccentColors = .standard
    ) throws -> MailMessage {
        let renderer = try MailRenderer(
            appName: "Juice",
            accent: accent,
            origin: .sample(),
            sender: try Mailbox(sender)
        )
        return try renderer.message(order, id: "0123456789abcdef")
    }
}
