import Accounts
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The API for emailed links", TestServer.lendingWithMail)
struct MailLinkInterfaceTests {
    private let server: TestServer
    init() throws { server = try TestServer.lendingWithMail.lent.0 }

    @Test("accepts every request to reset a password, and its link once")
    func reset() async throws {
        let token = try await server.tokenOfNewAccount()
        let address = "maya@example.com"
        _ = try await server.put("/api/account/email", ["email": .string(address)], token)
        let id = try #require(try await server.account(token)["id"]?.stringValue)
        try await prove(address, of: id, token)
        for name in ["maya", "nobody", "nobody@example.com", ""] {
            let answer = try await server.postJSON(
                "/api/password-resets",
                ["username": .string(name)]
            )
            #expect(answer.status == .accepted)
            #expect(answer.text.isEmpty)
        }
        let link = try await server.addLink(.passwordReset, of: id, to: address)
        func redeem(_ link: String, _ password: String) async throws -> TestResponse {
            try await server.postJSON(
                "/api/password-resets/redeem",
                ["token": .string(link), "newPassword": .string(password)]
            )
        }
        let short = try await redeem(link, "staple")
        #expect(short.status.code == 422 && short.code == "password_too_short")
        let done = try await redeem(link, "battery staple")
        #expect(done.status == .noContent && done.text.isEmpty)
        for wrong in [link, "", "nonsense", String(repeating: "x", count: 50_000)] {
            let gone = try await redeem(wrong, "battery staple")
            #expect(gone.status.code == 410 && gone.code == "link_invalid")
        }
        #expect(try await server.get("/api/account", token).status == .unauthorized)
        #expect(try await server.signIn("maya", "battery staple").status == .created)
    }

    @Test("sends a link to an address, and confirms it once")
    func verification() async throws {
        let token = try await server.tokenOfNewAccount()
        let nothing = try await server.send(.post, "/api/email-verifications", .bearer(token))
        #expect(nothing.status.code == 422 && nothing.code == "email_invalid")
        let wrong = try await server.put("/api/account/email", ["email": "maya"], token)
        #expect(wrong.status.code == 422 && wrong.code == "email_invalid")
        let asked = try await server.put("/api/account/email", ["email": "maya@example.com"], token)
        #expect(asked.status == .ok && asked.json?["emailIsVerified"] == false)
        #expect(asked.json?["pendingEmail"] == "maya@example.com")
        let again = try await server.send(.post, "/api/email-verifications", .bearer(token))
        #expect(again.status == .accepted)
        let id = try #require(asked.json?["id"]?.stringValue)
        let link = try await server.addLink(.verification, of: id, to: "maya@example.com")
        let path = "/api/email-verifications/redeem"
        let body = #"{"token":"\#(link)"}"#
        let stranger = try await server.tokenOfNewAccount("stranger")
        let refusals = [
            (HTTPFields(), 401, "not_signed_in"), (.bearer(stranger), 410, "link_invalid"),
        ]
        for (headers, status, code) in refusals {
            let refused = try await server.send(.post, path, .json + headers, body: body)
            #expect(refused.status.code == status && refused.code == code)
            #expect(!refused.text.contains("maya") && !refused.text.contains(id))
        }
        let headers = .json + HTTPFields.bearer(token)
        let proved = try await server.send(.post, path, headers, body: body)
        #expect(proved.status == .ok && proved.json?["emailDeliverable"] == true)
        #expect(proved.json?["pendingEmail"] == .null)
        let gone = try await server.send(.post, path, headers, body: body)
        #expect(gone.status.code == 410 && gone.code == "link_invalid")
        server.apple.time.advance(bySeconds: 601)
        let stale = try await server.put("/api/account/email", ["email": "new@example.com"], token)
        expectRefusal(stale, .forbidden, "recent_sign_in_required")
    }

    @Test("discards a pending address, and keeps the confirmed one")
    func cancel() async throws {
        let token = try await server.tokenOfNewAccount()
        let id = try #require(try await server.account(token)["id"]?.stringValue)
        let address = "maya@example.com"
        _ = try await server.put("/api/account/email", ["email": .string(address)], token)
        try await prove(address, of: id, token)
        _ = try await server.put("/api/account/email", ["email": "new@example.com"], token)
        #expect(try await server.account(token)["pendingEmail"] == "new@example.com")
        for _ in 0..<2 {
            let dropped = try await server.delete("/api/email-verifications", token)
            #expect(dropped.status == .noContent && dropped.text.isEmpty)
        }
        let account = try await server.account(token)
        #expect(account["pendingEmail"] == .null && account["email"] == "maya@example.com")
    }

    private func prove(_ address: String, of id: String, _ token: String) async throws {
        let proof = try await server.addLink(.verification, of: id, to: address)
        #expect(try await server.prove(by: proof, token).status == .ok)
    }

    @Test("responds that the server sends no email when none is configured")
    func withoutMail() async throws {
        try await withPasswordServer(hasMail: false) { server in
            let token = try await server.tokenOfNewAccount()
            let answers = [
                try await server.postJSON("/api/password-resets", ["username": "maya"]),
                try await server.put("/api/account/email", ["email": "maya@example.com"], token),
                try await server.postJSON(
                    "/api/accounts",
                    ["username": "noah", "password": "correct horse", "email": "noah@example.com"]
                ),
            ]
            for answer in answers { expectRefusal(answer, .conflict, "mail_unavailable") }
        }
    }
}
