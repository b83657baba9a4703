import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@Suite("What Apple's page lets through") struct AuthorizeRequestTests {
    private let box: Box

    init() async throws { box = try await Box() }

    @Test("Parameters of Apple's script, and others without a meaning here, change nothing")
    func extras() async throws {
        let reply = await box.authorize([
            "frame_id": "5e1b7c3a-0c8e-4f5e-9a55-2f0f6f7f8a11", "m": "11", "v": "1.5.5",
            "locale": "de_DE", "prompt": "none", "login_hint": "maya@example.com",
            "max_age": "0", "usePopup": "true",
        ])
        #expect(reply.status == 200)
        #expect(reply.hiddenFields["transaction"] != nil)
    }

    @Test("openid is a scope that adds nothing and asks for no form_post")
    func openID() async throws {
        let fields = try await box.signInOnTheWeb(["scope": "openid"])
        #expect(fields["user"] == nil)
        #expect(TokenText(fields["id_token"] ?? "").claims["email"] == nil)
        let query = await box.authorize([
            "scope": "openid", "response_mode": "query", "response_type": "code",
        ])
        #expect(query.status == 200)
    }

    @Test("Without a mode a code comes in the query, with an identity token in the fragment")
    func defaultModes() async throws {
        for (type, isFragment) in [("code", false), ("code id_token", true)] {
            try await box.decide()
            let reply = await box.authorize([
                "response_type": type, "response_mode": nil, "scope": nil,
            ])
            #expect(reply.status == 302)
            #expect((reply.location?.fragment != nil) == isFragment)
            #expect((reply.location?.query != nil) == !isFragment)
        }
    }

    @Test(
        "An identity token alone is refused in every mode",
        arguments: [nil, "query", "fragment", "form_post", "web_message"]
    )
    func identityTokenAlone(mode: String?) async throws {
        let reply = await box.authorize(
            ["response_type": "id_token", "response_mode": mode, "scope": nil],
            headers: [.accept: "application/json"]
        )
        #expect(reply["error_description"] == "Invalid response type")
    }

    @Test("A refusal is not stored, and JSON for who prefers it") func headers() async throws {
        let reply = await box.authorize(
            ["client_id": "com.example.other"],
            headers: [.accept: "application/json"]
        )
        #expect(reply.status == 400)
        #expect(reply.text == #"{"error":"invalid_client"}"#)
        #expect(reply.header("Content-Type") == "application/json;charset=UTF-8")
        #expect(reply.header("Cache-Control") == "no-store")
        #expect(reply.header("Pragma") == "no-cache")
        let page = await box.authorize(["client_id": "com.example.other"])
        #expect(page.status == 400 && page.failure?.code == "invalid_client")
    }
}
