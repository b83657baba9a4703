import AppleEmulator
import Foundation
import HTTPTypes
import Testing

// Fidelity: response-13
@Suite("The request log") final class RequestLogTests: BoxSuite {
    @Test("Secrets in the wrong place are not stored") func secrets() async throws {
        let fields = try await box.signInOnTheWeb()
        let code = try #require(fields["code"])
        let tokens = try await box.exchange(code)
        let secrets = [
            code, tokens["refresh_token"] ?? "", tokens["access_token"] ?? "",
            tokens["id_token"] ?? "", try box.secret(),
        ]
        for secret in secrets {
            _ = try await box.refresh(Box.web, ["client_id": secret])
            _ = try await box.refresh("x", ["grant_type": secret])
            _ = try await box.refresh("x", ["client_secret": secret, "client_id": secret])
            _ = await box.send(.post, "/auth/token/" + secret)
            _ = await box.authorize(["redirect_uri": Box.callback + "?code=" + secret])
            _ = await box.authorize(["redirect_uri": "https://x.example.com/" + secret])
            _ = await box.authorize(["client_id": "x" + secret, "scope": secret])
            _ = await box.post("/auth/token", [secret: "x"])
            _ = await box.post("/auth/revoke", ["token": "x", "token_type_hint": secret])
        }
        let text = await box.apple.requests().map(\.text).joined(separator: "\n")
        for secret in secrets {
            #expect(!text.contains(secret.prefix(40)))
            #expect(!text.contains(secret.suffix(20)))
        }
        #expect(text.contains("[redacted]"))
        #expect(!text.contains("?code="))
    }

    @Test("A token request without User-Agent succeeds with a hint") func userAgent() async throws {
        let tokens = try await box.tokens()
        #expect(tokens.status == 200)
        #expect(await box.lastHint().contains("User-Agent"))
        let named: HTTPFields = [.userAgent: "juice/1"]
        #expect(try await box.refresh(tokens["refresh_token"], headers: named).status == 200)
        #expect(await box.apple.requests().last?["hint"] == nil)
    }

    @Test(
        "Names that only begin like a token stay",
        arguments: ["com.example.honeyJuice", "com.example.keyApp", "c0ffee", "ra.example"]
    )
    func names(name: String) async throws {
        _ = await box.authorize(["client_id": name])
        #expect(await box.apple.requests().last?["client_id"]?.stringValue == name)
    }

    @Test("An email scope after a first consent without it gets a hint")
    func addressAskedLater() async throws {
        _ = try await box.signInOnTheWeb(["scope": "name"])
        #expect(await box.apple.requests().last?["hint"] == nil)
        _ = try await box.signInOnTheWeb()
        #expect(await box.lastHint().contains("email was not requested"))
    }

    @Test("A body over the limit is refused and logged, and meets faults")
    func oversizedBody() async throws {
        let body = String(repeating: "a", count: AppleEmulator.maximumBodyByteCount + 1)
        let reply = await box.send(.post, "/auth/token", body: body)
        #expect(reply.status == 413)
        #expect(reply["error_description"]?.contains("larger than") == true)
        let entry = await box.apple.requests().last
        #expect(entry?["status"] == 413)
        #expect(entry?["reason"]?.stringValue?.contains("larger than") == true)
    }
}
