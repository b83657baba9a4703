import AppleIdentity
import Foundation
import Testing

@testable import AppleEmulator

// Fidelity: script-7, script-8, script-18, script-22, script-33, request-7, request-13
// Fidelity: redirect-10
@Suite("The message of a popup") final class WebMessageTests: BoxSuite {
    @Test("A message has the authorization, and the user as an object the first time only")
    func granted() async throws {
        let first = try await message()
        #expect(first["method"] == "oauthDone")
        let data = try #require(first["data"]?.objectValue)
        let authorization = try #require(data["authorization"]?.objectValue)
        #expect(authorization.members.map(\.name).sorted() == ["code", "id_token", "state"])
        #expect(authorization["state"] == "s-1")
        let user = try #require(data["user"]?.objectValue)
        #expect(user["email"] == "maya@example.com")
        #expect(user["name"] == ["firstName": "Maya", "lastName": "Lindgren"])
        #expect(try await message()["data"]?.objectValue?["user"] == nil)
        let code = authorization["code"]?.stringValue ?? ""
        #expect(try await box.exchange(code).status == 200)
    }

    @Test("Only requested data is present") func bare() async throws {
        let answer = try await message(["response_type": "code", "scope": nil, "state": nil])
        let data = answer["data"]?.objectValue
        #expect(data?["authorization"]?.objectValue?.members.map(\.name) == ["code"])
        #expect(data?["user"] == nil)
    }

    @Test("Cancel is an error and nothing else") func cancelled() async throws {
        let answer = try await message(decision: ["decision": "cancel"])
        #expect(answer["data"] == ["error": "user_cancelled_authorize"])
    }

    @Test("In an embedded browser the popup closes without its message") func lost() async throws {
        _ = try await box.apple.changeSwitches(["popup_answers": false])
        try await box.decide([:])
        #expect(await box.authorize(["response_mode": "web_message"]).webMessage?.message == "")
    }

    @Test(
        "Only the redirect URI's origin may read the message",
        arguments: [
            ("https://juice.example.com/a/b?c=d", "https://juice.example.com"),
            ("https://Juice.Example.com:443/", "https://juice.example.com"),
            ("http://juice.localhost:8080/callback", "http://juice.localhost:8080"),
            ("http://juice.localhost:80/callback", "http://juice.localhost"),
            ("https://juice.example.com:8443", "https://juice.example.com:8443"),
        ]
    )
    func origin(redirectURI: String, origin: String) {
        #expect(WebMessage.origin(of: redirectURI) == origin)
    }

    private func message(
        _ changes: [String: String?] = [:],
        decision: JSONObject = [:]
    ) async throws -> JSONObject {
        try await box.decide(decision)
        let page = await box.authorize(changes.merging(["response_mode": "web_message"]) { $1 })
        #expect(page.status == 200)
        #expect(page.webMessage?.targetOrigin == "https://juice.example.com")
        let text = try #require(page.webMessage).message
        return try #require(try JSONValue(parsing: Data(text.utf8)).objectValue)
    }
}
