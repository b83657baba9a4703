import AppleEmulator
import AppleEmulatorServer
import AppleEmulatorTesting
import AppleIdentity
import MailTransport
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsServer

/// Apple's mail relay on a port, which also delivers to its users' own addresses.
struct MailRelay: Sendable {
    let apple: TestApple
    let address: String

    /// The settings with which a server sends through it.
    func settings(from sender: String = "no-reply@juice.example.com") throws -> MailSettings {
        MailSettings(server: try SMTPServer("smtp://\(address)"), sender: try Mailbox(sender))
    }

    /// All emails of a user, once there are as many as expected.
    func mail(of email: String = "maya@example.com", count: Int) async throws -> [JSONObject] {
        var list: [JSONValue] = []
        try await waitUntil {
            list = try await apple.emulator.mail(of: email)["messages"]?.arrayValue ?? []
            return list.count >= count
        }
        var mail: [JSONObject] = []
        for summary in list {
            let id = try #require(summary.objectValue?["id"])
            mail.append(try await apple.emulator.mail(id: id.text))
        }
        return mail
    }

    /// Runs the body with a relay.
    static func with(_ body: @Sendable (MailRelay) async throws -> Void) async throws {
        try await withAppleEmulator { apple in
            try await withEmulatorService(
                apple.emulator,
                .init(port: 0, controlPort: 0, smtpPort: 0),
                time: apple.time.source
            ) { addresses in
                try await body(MailRelay(apple: apple, address: #require(addresses.smtp)))
            }
        }
    }
}
