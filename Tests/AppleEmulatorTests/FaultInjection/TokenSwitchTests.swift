import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

// Fidelity: registration-25, registration-26, refusal-9, exchange-7, exchange-14, exchange-15
// Fidelity: exchange-17, grant-9, grant-12, grant-19
@Suite("Switches of the endpoints") struct TokenSwitchTests {
    private static func box(_ switches: JSONObject) async throws -> Box {
        try await Box { $0.switches = switches }
    }

    @Test("Refreshing twice within a day is slowed down", arguments: [429, 503])
    func throttledRefresh(status: Int) async throws {
        let box = try await Self.box(["throttled_refresh": .integer(status)])
        let token = try await box.tokens()["refresh_token"] ?? ""
        #expect(try await box.refresh(token).status == 200)
        let refused = try await box.refresh(token)
        #expect(refused.status == status)
        #expect(refused["error"] == "temporarily_unavailable")
        #expect(refused.header("Retry-After") == "86400")
        box.time.advance(bySeconds: 86_400)
        #expect(try await box.refresh(token).status == 200)
    }

    @Test("More refreshes a day can be allowed") func refreshesPerDay() async throws {
        let box = try await Self.box(["throttled_refresh": "429", "refreshes_per_day": 2])
        let token = try await box.tokens()["refresh_token"] ?? ""
        var statuses: [Int] = []
        for _ in 1...3 { statuses.append(try await box.refresh(token).status) }
        #expect(statuses == [200, 200, 429])
    }

    @Test("A code sent again ends the first tokens, or is taken again")
    func codeReuse() async throws {
        for (value, status, refreshed) in [("revoking", 400, 400), ("accepted", 200, 200)] {
            let box = try await Self.box(["code_reuse": .string(value)])
            let code = try await box.code()
            let token = try await box.exchange(code)["refresh_token"] ?? ""
            #expect(try await box.refresh(token).status == 200)
            #expect(try await box.exchange(code).status == status)
            #expect(try await box.refresh(token).status == refreshed)
        }
    }

    @Test("A code lives ten minutes") func codeSeconds() async throws {
        let box = try await Self.box(["code_seconds": 600])
        let code = try await box.code()
        box.time.advance(bySeconds: 599)
        #expect(try await box.exchange(code).status == 200)
        let late = try await box.code()
        box.time.advance(bySeconds: 600)
        #expect(try await box.exchange(late)["error"] == "invalid_grant")
    }

    @Test("A new refresh token revokes the previous one") func refreshTokens() async throws {
        let box = try await Self.box(["refresh_tokens": "one"])
        let tokens = [try await box.tokens(), try await box.tokens()].map { $0["refresh_token"] }
        #expect(try await box.refresh(tokens[0])["error"] == "invalid_grant")
        #expect(try await box.refresh(tokens[1]).status == 200)
    }

    @Test("The type of tokens is spelled small, as documented") func tokenType() async throws {
        let box = try await Self.box(["token_type": "bearer"])
        let answer = try await box.tokens()
        #expect(answer["token_type"] == "bearer")
        #expect(try await box.refresh(answer["refresh_token"])["token_type"] == "bearer")
    }

    @Test("Refusals come without a description") func bareErrors() async throws {
        let box = try await Self.box(["error_descriptions": false])
        for answer in [try await box.exchange("c0ffee"), try await box.refresh("r0")] {
            #expect(answer.text == #"{"error":"invalid_grant"}"#)
        }
    }

    @Test("Refusals of redirect URIs have the documented codes")
    func documentedErrors() async throws {
        let box = try await Self.box(["error_codes": "documented"])
        let code = try await box.code()
        let other = "https://juice.example.com/other"
        #expect(try await box.exchange(code, ["redirect_uri": other])["error"] == "invalid_client")
        let page = await box.authorize(
            ["redirect_uri": other],
            headers: [.accept: "application/json"]
        )
        #expect(page["error"] == "unauthorized_client")
    }

    @Test("Parameters that Apple does not know are refused") func unknownParameters() async throws {
        let box = try await Self.box(["unknown_parameters": "refused"])
        let code = try await box.code()
        #expect(try await box.exchange(code, ["audience": "x"])["error"] == "invalid_request")
        #expect(try await box.exchange(code).status == 200)
    }

    @Test("An authorization needs a code challenge") func pkce() async throws {
        let box = try await Self.box(["pkce": "required"])
        let refused = await box.authorize(headers: [.accept: "application/json"])
        #expect(refused["error"] == "invalid_request")
        let challenge = String(repeating: "A", count: 43)
        let asked = await box.authorize([
            "code_challenge": challenge, "code_challenge_method": "S256",
        ])
        #expect(asked.status == 200)
    }

    @Test("A client has to say which program it is, as in 2019") func userAgent() async throws {
        let box = try await Self.box(["user_agent": "required"])
        let code = try await box.code()
        let refused = try await box.exchange(code)
        #expect(refused.status == 400)
        #expect(refused.text == #"{"error":"invalid_request"}"#)
        let named: HTTPFields = [.userAgent: "juice/1"]
        #expect(try await box.exchange(code, headers: named).status == 200)
    }

    @Test("The tolerance for a secret's time is another one") func secretSkew() async throws {
        let box = try await Self.box(["secret_skew_seconds": 0])
        let code = try await box.code()
        let early = try box.secret(claims: ["iat": .integer(box.now + 1)])
        #expect(try await box.exchange(code, ["client_secret": early])["error"] == "invalid_client")
        #expect(try await box.exchange(code).status == 200)
    }
}
