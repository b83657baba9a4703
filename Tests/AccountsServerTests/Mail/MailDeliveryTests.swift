import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsServer
@testable import MailTransport

@Suite("Email that leaves the server", .timeLimit(.minutes(2)))
struct MailDeliveryTests {
    @Test("arrives at a hidden address, in the user's language", arguments: ["en", "de-AT"])
    func relayed(language: String) async throws {
        try await MailRelay.with { relay in
            let hidden = try await hiddenAddress(at: relay)
            let sender = try sender(to: relay)
            for kind in MailOrder.Kind.allCases {
                try await sender.send(order(kind, to: hidden, language: language), .random())
            }
            let mail = try await relay.mail(count: MailOrder.Kind.allCases.count)
            let subjects = mail.compactMap { $0["subject"]?.stringValue }
            #expect(
                subjects.first
                    == (language == "en"
                        ? "Confirm your email address for Säfte & Co."
                        : "Bestätigen Sie Ihre E-Mail-Adresse für Säfte & Co.")
            )
            #expect(Set(subjects).count == mail.count)
            for one in mail {
                #expect(one["from"]?.stringValue?.contains("Säfte & Co.") == true)
                #expect(one["relay_email"]?.stringValue == hidden)
                #expect(one["text"]?.stringValue?.contains("Säfte & Co.") == true)
                #expect(one["html"]?.stringValue?.contains("Säfte &amp; Co.") == true)
            }
        }
    }

    @Test("is refused when Apple does not know the sender, with what to do about it")
    func unregistered() async throws {
        try await MailRelay.with { relay in
            let hidden = try await hiddenAddress(at: relay)
            let sender = try sender(to: relay, from: "no-reply@unknown.example.com")
            let failure = await #expect(throws: MailFailure.self) {
                try await sender.send(order(.newSignIn, to: hidden), .random())
            }
            #expect(failure?.code == "smtp_550")
            #expect(failure?.isRetryable == false)
            #expect(failure?.hint.contains("Sign in with Apple for Email Communication") == true)
            #expect(failure?.refusesRecipient == false)
            #expect(failure?.hint.contains(hidden) == false)
            let bounces = try await relay.apple.emulator.mail()["bounces"]?.arrayValue
            #expect(bounces?.count == 1)
        }
    }

    @Test(
        "that is refused for an address of a relay domain is explained by the relay's rules",
        arguments: [
            ("x1@private.icloud.com", true), ("x1@Relay.example", true),
            ("x1@icloud.com", false), ("x1@example.com", false),
        ]
    )
    func relayDomains(address: String, isExplained: Bool) throws {
        let refused = SMTPFailure("smtp_550", status: "5.1.1", isRetryable: false, hint: "refused")
        let domains = RelayDomains.apple.adding(["relay.example"])
        let failure = MailFailure(refused, to: try Mailbox(address), domains)
        #expect(failure.code == "smtp_550")
        #expect(failure.hint.contains("Apple's relay") == isExplained)
    }

    @Test("is refused while the user has turned off forwarding, and still arrives at others")
    func forwardingOff() async throws {
        try await MailRelay.with { relay in
            let hidden = try await hiddenAddress(at: relay)
            try await relay.apple.emulator.setForwarding(
                "maya@example.com",
                clientID: "com.example.juice",
                enabled: false
            )
            let sender = try sender(to: relay)
            let failure = await #expect(throws: MailFailure.self) {
                try await sender.send(order(.newSignIn, to: hidden), .random())
            }
            #expect(failure?.code == "smtp_550")
            #expect(failure?.hint.contains("turned off forwarding") == true)
            #expect(failure?.refusesRecipient == true)
            try await sender.send(order(.newSignIn, to: "noah@example.com"), .random())
            let mail = try await relay.mail(of: "noah@example.com", count: 1)
            #expect(mail.count == 1)
        }
    }

    @Test("confirms an address and sets a new password, and leaves nothing in the log")
    func wholeWay() async throws {
        try await MailRelay.with { relay in
            try await withAccountsServer({ $0.mail = try relay.settings() }) { server in
                let created = try await server.send(
                    .post,
                    "/api/accounts",
                    [.contentType: "application/json", .acceptLanguage: "de-DE,en;q=0.5"],
                    body: #"""
                        {"username": "maya", "password": "orange juice and sun", "name": "Maya",
                         "email": "maya@example.com"}
                        """#
                )
                try #require(created.status == .created, "\(created.text)")
                let proof = try #require(try await relay.mail(count: 1).last)
                #expect(
                    proof["subject"]?.stringValue == "Bestätigen Sie Ihre E-Mail-Adresse für Juice"
                )
                let token = try token(in: proof, after: "/verify-email?token=")
                let session = try #require(created.json?["token"]?.stringValue)
                let proved = try await server.prove(by: token, session)
                try #require(proved.status == .ok, "\(proved.text)")

                let asked = try await server.postJSON("/api/password-resets", ["username": "maya"])
                try #require(asked.status == .accepted, "\(asked.text)")
                let reset = try #require(try await relay.mail(count: 2).last)
                let link = try self.token(in: reset, after: "/reset-password?token=")
                let changed = try await server.postJSON(
                    "/api/password-resets/redeem",
                    ["token": .string(link), "newPassword": "apple juice and rain"]
                )
                #expect(changed.status == .noContent, "\(changed.text)")
                for secret in [token, link, "maya@example.com", "Maya"] {
                    #expect(!server.log.text.contains(secret))
                }
            }
        }
    }

    @Test("stays in the outbox while the mail server is unavailable")
    func away() async throws {
        try await withAccountsServer({
            $0.mail = MailSettings(
                server: try SMTPServer("smtp://127.0.0.1:1"),
                sender: try Mailbox("no-reply@juice.example.com")
            )
        }) { server in
            let created = try await server.postJSON(
                "/api/accounts",
                [
                    "username": "maya", "password": "orange juice and sun",
                    "email": "maya@example.com",
                ]
            )
            try #require(created.status == .created, "\(created.text)")
            try await waitUntil {
                server.log.text.contains("outbox entry failed and will be tried again")
            }
            #expect(server.log.text.contains("smtp_unreachable"))
            #expect(!server.log.text.contains("maya@example.com"))
        }
    }

    private func hiddenAddress(at relay: MailRelay) async throws -> String {
        let credential = try await relay.apple.credentials(hidesEmail: true)
        return try #require(credential.email)
    }

    private func sender(
        to relay: MailRelay,
        from address: String = "no-reply@juice.example.com"
    ) throws -> MailSender {
        let settings = try relay.settings(from: address)
        let renderer = try MailRenderer(
            appName: "Säfte & Co.",
            origin: .sample(),
            sender: settings.sender
        )
        return MailSender(SMTPTransport(to: settings.server), renderer)
    }

    private func token(in mail: JSONObject, after path: String) throws -> String {
        let text = try #require(mail["text"]?.stringValue)
        let start = try #require(text.firstRange(of: TestServer.publicURL + path)?.upperBound)
        return String(text[start...].prefix { !$0.isWhitespace })
    }
}

extension WebOrigin {
    static func sample() throws -> WebOrigin {
        try WebOrigin(
            publicURL: try #require(URL(string: TestServer.publicURL)),
            appleBrowserURL: try #require(URL(string: "https://appleid.apple.com"))
        )
    }
}

func order(
    _ kind: MailOrder.Kind,
    to address: String = "maya@example.com",
    language: String = "en",
    name: String? = "Maya",
    device: String? = "Firefox on Linux",
    appleLinkRemains: Bool = false
) -> MailOrder {
    let hasLink = [.verification, .passwordReset].contains(kind)
    return MailOrder(
        kind: kind,
        address: address,
        language: language,
        name: name,
        linkToken: hasLink ? "secret_of-the+link" : nil,
        device: device,
        appleLinkRemains: appleLinkRemains,
        occurredAt: Date(timeIntervalSince1970: 1_769_000_000)
    )
}
