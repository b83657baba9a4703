import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulator

@Suite("What flows do not show") struct FlowRedactionTests {
    @Test("No code, token, secret, password or digit is in any JSON") func secrets() async throws {
        let box = try await Box { $0.apps[0].notificationURL = "https://juice.example.com/n" }
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let asked = await box.authorize([
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            "code_challenge_method": "S256",
        ])
        let transaction = try #require(asked.hiddenFields["transaction"])
        let consent = await box.step(
            asked,
            "sign-in",
            ["email": Box.maya, "password": "apple", "unknown": "unknown-parameter"]
        )
        let form = await box.step(consent, "continue", Box.consent)
        let code = try #require(form.hiddenFields["code"])
        let secret = try box.secret()
        let own = ["code_verifier": verifier, "client_secret": secret]
        let tokens = try await box.exchange(code, own)
        let first = try await box.everythingShown()
        #expect(!first.contains(verifier) && !first.contains("unknown-parameter"))
        let native = try await box.credentials()
        var secrets = [
            transaction, code, secret, verifier, "unknown-parameter",
            native["identity_token"]?.stringValue, native["authorization_code"]?.stringValue,
            form.hiddenFields["id_token"], tokens["access_token"], tokens["refresh_token"],
            tokens["id_token"],
        ].compactMap(\.self)
        #expect(secrets.count == 11)
        // The name of a transaction has no form by which it is known in the wrong place.
        for secret in secrets.dropFirst() {
            _ = try await box.refresh(secret, ["grant_type": secret, "state": secret])
            _ = await box.authorize(["redirect_uri": Box.callback + "?code=" + secret])
            _ = await box.post("/auth/revoke", ["token": secret, secret: secret])
            _ = await box.send(.get, "/auth/token?" + secret)
        }
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.web))
        secrets += await box.duePayloads()
        let text = try await box.everythingShown()
        #expect(text.contains("\"password\":\"(never shown)\""))
        for secret in secrets where secret != verifier && secret != "unknown-parameter" {
            let shows = text.contains(secret.prefix(40)) || text.contains(secret.suffix(20))
            #expect(!shows, "\(secret)")
        }
        #expect(text.contains(code.prefix(6) + "…"))
        #expect(text.contains("256 bytes, not shown"))
    }

    @Test("Short secrets are shown less of") func shortened() {
        #expect(FlowRedaction.shortened("c12345678901234567890") == "c12345…")
        #expect(FlowRedaction.shortened("123456") == "12…")
        #expect(FlowRedaction.shortened("") == "…")
    }

    @Test("A value in the place of a name is shown only by its name") func unknownNames() {
        let text = Data("password=pear&code=123456&mystery=abcdefghij&scope=name".utf8)
        let fields = FlowRedaction.fields(in: text, path: SheetPage.path)
        #expect(
            fields == [
                FlowField(name: "scope", value: "name"),
                FlowField(name: "code", value: FlowRedaction.hidden),
                FlowField(name: "mystery", value: "abc…"),
                FlowField(name: "password", value: FlowRedaction.hidden),
            ]
        )
        #expect(FlowRedaction.fields(in: Data("a=%zz".utf8), path: "/auth/token").isEmpty)
    }
}
