import AppleIdentity
import Foundation
import TestSupport
import Testing

/// Mail of the accounts server in the emulator's inbox.
@Suite("Mail of the demo", .serialized) struct MailTests {
    @Test("The link in the inbox verifies the email address") func verification() async throws {
        try await withTemporaryFolder { folder in
            try await SiwaProcess.with(data: folder) { siwa in
                let app = HTTPCaller(base: siwa.serverForPrograms)
                let receipt = try await app.require(
                    "POST",
                    "/api/accounts",
                    [
                        "username": "noah", "password": "orange juice and sun",
                        "email": "pia@new.example.com",
                    ]
                )
                let control = HTTPCaller(base: siwa.control)
                let summary = try await waitUntil("the mail should arrive") {
                    let list = try await control.require("GET", "/mail?person=pia@new.example.com")
                    return list["messages"]?.arrayValue?.first?.objectValue
                }
                let id = try #require(summary["id"])
                let mail = try await control.require("GET", "/mail/\(id.text)")
                let text = try #require(mail["text"]?.stringValue)
                let link = try #require(text.firstMatch(of: /(http\S+)\/verify-email\?token=(\S+)/))
                #expect(link.output.1 == siwa.server.absoluteString)
                let token = try #require(receipt["token"]?.stringValue)
                let session = HTTPCaller(base: siwa.serverForPrograms, token: token)
                try await session.require(
                    "POST",
                    "/api/email-verifications/redeem",
                    ["token": .string(String(link.output.2))]
                )
                let account = try await session.require("GET", "/api/account")
                #expect(account["emailIsVerified"] == true)
            }
        }
    }
}
