import AppleEmulator
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignedTokens
import Testing

@Suite("The token endpoint") struct TokenTests {
    private let box: Box

    init() async throws { box = try await Box() }

    @Test("A code is exchanged, in Apple's order and form") func exchange() async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        let tail = #"[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}\.0\.[a-z]+\.[\w-]{22}"#
        #expect(code.wholeMatch(of: try Regex("c" + tail)) != nil, "\(code)")
        let reply = try await box.exchange(code)
        #expect(reply.status == 200)
        let form =
            #"\{"access_token":"a\#(tail)","token_type":"Bearer","expires_in":3600,"#
            + #""refresh_token":"r\#(tail)","id_token":"[\w.-]+"\}"#
        #expect(reply.text.wholeMatch(of: try Regex(form)) != nil)
        #expect(reply.header("Content-Type") == "application/json;charset=UTF-8")
        #expect(reply.header("Cache-Control") == "no-store")
        #expect(reply.header("Pragma") == "no-cache")
    }

    @Test("A refresh has no refresh token") func refresh() async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        let token = try #require(try await box.exchange(code)["refresh_token"])
        for _ in 1...2 {
            let reply = try await box.refresh(token)
            #expect(reply.status == 200)
            let form =
                /\{"access_token":"a[^"]+","token_type":"Bearer","expires_in":3600,"id_token":"[^"]+"\}/
            #expect(reply.text.wholeMatch(of: form) != nil)
        }
    }

    @Test(
        "A parameter missing is an invalid request",
        arguments: ["grant_type", "code", "client_id", "client_secret"]
    )
    func missing(name: String) async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        let reply = try await box.exchange(code, [name: nil])
        #expect(reply.status == 400)
        #expect(reply.text == #"{"error":"invalid_request"}"#)
        #expect(await box.apple.requests().last?["reason"] == .string("\(name) is missing"))
    }

    @Test("Malformed requests are refused") func malformed() async throws {
        let duplicated = await box.send(.post, "/auth/token", body: "grant_type=a&grant_type=a")
        #expect(duplicated["error"] == "invalid_request")
        let json = await box.send(
            .post,
            "/auth/token",
            body: "{}",
            headers: [.contentType: "application/json"]
        )
        #expect(json["error"] == "invalid_request")
        let broken = await box.send(.post, "/auth/token", body: "grant_type=%FF")
        #expect(broken["error"] == "invalid_request")
        let basic = await box.send(
            .post,
            "/auth/token",
            body: "grant_type=refresh_token",
            headers: [
                .authorization: "Basic eDp5", .contentType: "application/x-www-form-urlencoded",
            ]
        )
        #expect(basic["error"] == "invalid_request")
        let large = await box.send(
            .post,
            "/auth/token",
            body: String(repeating: "a", count: 70_000)
        )
        #expect(large.status == 413)
        #expect(await box.send(.get, "/auth/token").status == 405)
        let grant = await box.post("/auth/token", ["grant_type": "password"])
        #expect(grant.text == #"{"error":"unsupported_grant_type"}"#)
    }

    @Test("The code is looked up before the client is authenticated") func order() async throws {
        let garbage = await box.post(
            "/auth/token",
            [
                "grant_type": "authorization_code", "code": "c0ffee", "client_id": "clientID",
                "client_secret": "clientSecret",
            ]
        )
        #expect(
            garbage.text
                == #"{"error":"invalid_grant","error_description":"The code has expired or has been revoked."}"#
        )
        let refresh = await box.post(
            "/auth/token",
            [
                "grant_type": "refresh_token", "refresh_token": "r", "client_id": "clientID",
                "client_secret": "clientSecret",
            ]
        )
        #expect(
            refresh.text
                == #"{"error":"invalid_grant","error_description":"The token has expired or has been revoked."}"#
        )
        let code = try #require(try await box.signInOnTheWeb()["code"])
        let live = try await box.exchange(code, ["client_secret": "x", "client_id": "y"])
        #expect(live.text == #"{"error":"invalid_client"}"#)
    }

    @Test("A code is good once") func once() async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        let refreshToken = try #require(try await box.exchange(code)["refresh_token"])
        let second = try await box.exchange(code)
        #expect(second["error"] == "invalid_grant")
        #expect(second["error_description"] == "The code has already been used.")
        #expect(try await box.refresh(refreshToken).status == 200)
    }

    @Test("A code is good for five minutes") func expiry() async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        box.time.advance(bySeconds: 300)
        let late = try await box.exchange(code)
        #expect(late["error_description"] == "The code has expired or has been revoked.")
        let other = try #require(try await box.signInOnTheWeb()["code"])
        box.time.advance(bySeconds: 299)
        #expect(try await box.exchange(other).status == 200)
    }

    @Test("A code is bound to its redirect address", arguments: [nil, "https://example.com/"])
    func redirect(_ redirectURI: String?) async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        let reply = try await box.exchange(code, ["redirect_uri": redirectURI])
        #expect(reply["error"] == "invalid_grant")
        #expect(
            reply["error_description"]
                == "redirect_uri mismatch. The code was not issued to \(redirectURI ?? "")."
        )
    }

    @Test("A code is bound to its client") func client() async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        let secret = try box.secret(claims: ["sub": .string(Box.app)])
        let reply = try await box.exchange(code, ["client_id": Box.app, "client_secret": secret])
        #expect(
            reply["error_description"]
                == "client_id mismatch. The code was not issued to com.example.juice."
        )
    }

    @Test("A device's code goes without a redirect address") func native() async throws {
        let code = try #require(try await box.credentials()["authorization_code"]?.stringValue)
        let secret = try box.secret(claims: ["sub": .string(Box.app)])
        let fields: [String: String?] = ["client_id": Box.app, "client_secret": secret]
        #expect(try await box.exchange(code, fields)["error"] == "invalid_grant")
        let reply = try await box.exchange(code, fields.merging(["redirect_uri": nil]) { $1 })
        #expect(reply.status == 200)
    }

    @Test("A challenge asks for its verifier") func verifier() async throws {
        let verifier = String(repeating: "v", count: 43)
        let challenge = Base64URL.encode(SHA256.hash(data: Data(verifier.utf8)))
        let fields = try await box.signInOnTheWeb([
            "code_challenge": challenge, "code_challenge_method": "S256",
        ])
        let code = try #require(fields["code"])
        #expect(try await box.exchange(code)["error"] == "invalid_grant")
        #expect(try await box.exchange(code, ["code_verifier": "no"])["error"] == "invalid_grant")
        #expect(try await box.exchange(code, ["code_verifier": verifier]).status == 200)
    }

    @Test("A refresh token is bound to its client, and no access token")
    func refreshRefusals() async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        let answer = try await box.exchange(code)
        let secret = try box.secret(claims: ["sub": .string(Box.app)])
        let other = try await box.refresh(
            answer["refresh_token"] ?? "",
            ["client_id": Box.app, "client_secret": secret]
        )
        #expect(other.text == #"{"error":"invalid_grant"}"#)
        let access = try await box.refresh(answer["access_token"] ?? "")
        #expect(access["error_description"] == "The token has expired or has been revoked.")
        let hint = await box.apple.requests().last?["hint"]?.stringValue
        #expect(hint?.hasPrefix("this looks like an access token") == true)
    }
}
