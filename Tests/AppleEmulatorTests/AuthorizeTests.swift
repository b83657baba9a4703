import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

// Fidelity: registration-18, script-21, request-1, request-2, request-3, request-4, request-5
// Fidelity: request-6, request-7, request-8, request-9, request-10, request-11, request-12
// Fidelity: request-14, request-15, request-19, request-20, request-21, request-23, request-24
// Fidelity: redirect-3, redirect-5, redirect-6, redirect-9, refusal-1, refusal-2
// Fidelity: refusal-3, refusal-4, refusal-6, refusal-7, refusal-10, refusal-11, refusal-12
// Fidelity: refusal-13, keys-17
@Suite("What Apple's page refuses and lets through") final class AuthorizeTests: BoxSuite {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let changes: [String: String?]
        let error: String
        let text: String?
        let reason: String

        var testDescription: String {
            changes.keys.sorted().joined(separator: ", ") + ": " + reason
        }

        init(
            _ changes: [String: String?],
            _ text: String?,
            _ reason: String,
            error: String = "invalid_request"
        ) {
            (self.changes, self.text, self.reason, self.error) = (changes, text, reason, error)
        }
    }

    static let noAddress = "Invalid web redirect url."
    static let noScope = "response_mode must be form_post when name or email scope is requested."
    static let noType = "Invalid response type"
    static let noMethod = "Invalid code challenge method"
    static let challenge = String(repeating: "c", count: 43)
    static let tooLong = String(repeating: "s", count: 9_000)

    static let refusals: [Refusal] =
        [
            Refusal(["client_id": nil], "Missing client id.", "client_id is missing"),
            unregistered("com.example.other"), unregistered("com.example.Juice.web"),
            Refusal(["redirect_uri": nil], noAddress, "redirect_uri is missing"),
            Refusal(["redirect_uri": Box.callback + "/"], noAddress, "not registered"),
            Refusal(
                ["redirect_uri": "https://a.example.com/", "response_mode": "web_message"],
                noAddress,
                "not registered"
            ),
            Refusal(["redirect_uri": Box.callback + "#here"], noAddress, "fragment"),
            Refusal(
                ["redirect_uri": "http://juice.example.com/sign-in/apple/callback"],
                noAddress,
                "not use https"
            ),
            Refusal(["client_id": Box.app], noAddress, "is an App ID"),
            Refusal(["response_type": nil], "Missing response type.", "response_type is missing"),
            Refusal(["response_type": "id_token"], noType, "response_type"),
            Refusal(["response_mode": "post"], "Invalid response mode", "response_mode"),
            Refusal(
                ["response_mode": "query", "scope": nil],
                "Invalid response mode",
                "id_token can't be returned in the query"
            ),
            Refusal(["response_mode": "fragment"], noScope, "scope"),
            Refusal(
                ["response_type": "code", "response_mode": "query", "scope": "email"],
                noScope,
                "scope"
            ),
            Refusal(["response_mode": nil, "scope": "name"], noScope, "scope"),
            Refusal(["scope": "name profile"], "invalid scope", "profile"),
            Refusal(["state": tooLong], "Invalid state", "longer than 8192 bytes"),
            Refusal(["nonce": tooLong], "Invalid nonce", "longer than 8192 bytes"),
            Refusal(
                ["redirect_uri": Box.callback + "?a=" + String(repeating: "b", count: 2_048)],
                noAddress,
                "longer than 2048 bytes"
            ),
            Refusal(
                ["code_challenge": challenge, "code_challenge_method": "plain"],
                noMethod,
                "S256"
            ),
            Refusal(["code_challenge": challenge], noMethod, "S256"),
        ]
        + [nil, "query", "fragment", "form_post", "web_message"].map { mode in
            let changes = ["response_type": "id_token", "response_mode": mode, "scope": nil]
            return Refusal(changes, noType, "response_type")
        }

    private static func unregistered(_ clientID: String) -> Refusal {
        Refusal(["client_id": clientID], nil, "not registered", error: "invalid_client")
    }

    @Test("One thing wrong stays on Apple's page", arguments: refusals)
    func refusal(_ refusal: Refusal) async throws {
        let reply = await box.authorize(refusal.changes, headers: [.accept: "application/json"])
        #expect(reply.status == 400)
        #expect(reply["error"] == refusal.error)
        #expect(reply["error_description"] == refusal.text)
        let logged = await box.apple.requests().last
        #expect(logged?["reason"]?.stringValue?.contains(refusal.reason) == true)
    }

    @Test("A parameter sent twice is refused") func duplicateParameter() async throws {
        let query = Box.encode(Box.authorizeFields)
        #expect(await box.send(.get, "/auth/authorize?\(query)&state=again").status == 400)
        #expect(await box.lastReason().contains("twice"))
    }

    @Test(
        "A redirect to this machine or a container is let through with a remark, and refused by a strict Apple",
        arguments: [
            "http://juice.localhost:8080/callback", "http://web:3000/callback",
            "http://host.docker.internal/callback",
        ]
    )
    func loopback(address: String) async throws {
        let box = try await Box(redirectURIs: [address])
        #expect(await box.authorize(["redirect_uri": address]).status == 200)
        #expect(await box.lastHint().contains("Apple would refuse"))
        let strict = try await Box(
            redirectURIs: [address],
            configuration: EmulatorConfiguration(isStrict: true)
        )
        #expect(await strict.authorize(["redirect_uri": address]).status == 400)
    }

    @Test("HEAD begins nothing, other methods are refused") func methods() async throws {
        try await box.decide()
        let head = await box.authorize(method: .head)
        #expect(head.status == 200 && head.answer.body.isEmpty)
        #expect(await box.authorize(method: .put).status == 405)
        #expect(await box.authorize().hiddenFields["code"] != nil)
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
        let page = await box.authorize(
            ["response_type": "id_token"],
            headers: [.accept: "text/html,application/json;q=0.5"]
        )
        #expect(page.status == 400 && page.failure?.code == "invalid_request")
        #expect(page.failure?.text?.hasPrefix("Invalid response type") == true)
        let other = await box.authorize(["client_id": "com.example.other"])
        #expect(other.status == 400 && other.failure?.code == "invalid_client")
    }

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

    @Test("The scope openid adds nothing and does not require form_post")
    func openID() async throws {
        let fields = try await box.signInOnTheWeb(["scope": "openid"])
        #expect(fields["user"] == nil)
        #expect(TokenText(fields["id_token"]).claims["email"] == nil)
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

    @Test("Modes that carry no scope are let through") func matrix() async throws {
        for (type, mode) in [
            ("code", "query"), ("code", "fragment"), ("code", "form_post"),
            ("code id_token", "fragment"), ("id_token code", "form_post"),
            ("code", "web_message"), ("code id_token", "web_message"),
        ] {
            let reply = await box.authorize([
                "response_type": type, "response_mode": mode, "scope": nil,
            ])
            #expect(reply.status == 200, "\(type) \(mode)")
        }
    }

    @Test("A page offers to register an unknown client or redirect URI") func missing() async throws
    {
        let uri = "https://other.example.com/callback"
        let client = await box.authorize(["client_id": "com.example.nobody", "redirect_uri": uri])
        let missingClient = try #require(client.failure?.missing)
        #expect(missingClient.clientID == "com.example.nobody" && !missingClient.isClientKnown)
        #expect(missingClient.redirectURI == uri)
        let address = await box.authorize(["redirect_uri": uri])
        let missingAddress = try #require(address.failure?.missing)
        #expect(missingAddress.clientID == Box.web && missingAddress.isClientKnown)
        #expect(missingAddress.redirectURI == uri)
        #expect(await box.authorize(["response_type": nil]).failure?.missing == nil)
    }

    @Test("The start page is a page, only for GET and HEAD") func home() async throws {
        let reply = await box.send(.get, "/")
        guard case .home = reply.answer.page else {
            Issue.record("\(reply.status) \(reply.text)")
            return
        }
        #expect(await box.send(.post, "/").status == 405)
    }
}
