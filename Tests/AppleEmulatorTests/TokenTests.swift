import AppleEmulator
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignedTokens
import Testing

// Fidelity: registration-18, request-22, secret-1, exchange-1, exchange-2
// Fidelity: exchange-3, exchange-4, exchange-5, exchange-6, exchange-8, exchange-9, exchange-10
// Fidelity: exchange-16, exchange-18, exchange-20, exchange-21, exchange-22, exchange-23
// Fidelity: exchange-24, exchange-25, exchange-26, grant-1, grant-2, grant-5, grant-6, grant-7
// Fidelity: grant-8, grant-10, grant-11, grant-13, grant-14, grant-15, grant-16, grant-17
// Fidelity: grant-20, grant-23
@Suite("The token endpoint") final class TokenTests: BoxSuite {
    @Test("A code is exchanged, in Apple's order and form") func exchange() async throws {
        let code = try await box.code()
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
        let token = try #require(try await box.tokens()["refresh_token"])
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
        let code = try await box.code()
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
        let code = try await box.code()
        let live = try await box.exchange(code, ["client_secret": "x", "client_id": "y"])
        #expect(live.text == #"{"error":"invalid_client"}"#)
    }

    @Test("A code is good once") func once() async throws {
        let code = try await box.code()
        let refreshToken = try #require(try await box.exchange(code)["refresh_token"])
        let second = try await box.exchange(code)
        #expect(second["error"] == "invalid_grant")
        #expect(second["error_description"] == "The code has already been used.")
        #expect(try await box.refresh(refreshToken).status == 200)
    }

    @Test("A code is valid for five minutes") func expiry() async throws {
        let code = try await box.code()
        box.time.advance(bySeconds: 300)
        let late = try await box.exchange(code)
        #expect(late["error_description"] == "The code has expired or has been revoked.")
        let other = try await box.code()
        box.time.advance(bySeconds: 299)
        #expect(try await box.exchange(other).status == 200)
    }

    @Test("A code is bound to its redirect URI", arguments: [nil, "https://example.com/"])
    func redirect(_ redirectURI: String?) async throws {
        let code = try await box.code()
        let reply = try await box.exchange(code, ["redirect_uri": redirectURI])
        #expect(reply["error"] == "invalid_grant")
        #expect(
            reply["error_description"]
                == "redirect_uri mismatch. The code was not issued to \(redirectURI ?? "")."
        )
    }

    @Test("A code is bound to its client") func client() async throws {
        let code = try await box.code()
        let secret = try box.secret(claims: ["sub": .string(Box.app)])
        let reply = try await box.exchange(code, ["client_id": Box.app, "client_secret": secret])
        #expect(
            reply["error_description"]
                == "client_id mismatch. The code was not issued to com.example.juice."
        )
    }

    @Test("A device's code has no redirect URI") func native() async throws {
        let code = try #require(try await box.credentials()["authorization_code"]?.stringValue)
        let secret = try box.secret(claims: ["sub": .string(Box.app)])
        let fields: [String: String?] = ["client_id": Box.app, "client_secret": secret]
        #expect(try await box.exchange(code, fields)["error"] == "invalid_grant")
        let reply = try await box.exchange(code, fields.merging(["redirect_uri": nil]) { $1 })
        #expect(reply.status == 200)
    }

    @Test("A challenge requires its verifier") func verifier() async throws {
        let verifier = String(repeating: "v", count: 43)
        let challenge = Base64URL.encode(SHA256.hash(data: Data(verifier.utf8)))
        let fields = try await box.signInOnTheWeb([
            "code_challenge": challenge, "code_challenge_method": "S256",
        ])
        let code = try #require(fields["code"])
        #expect(try await box.exchange(code)["error"] == "invalid_grant")
        #expect(try await box.exchange(code, ["code_verifier": "no"])["error"] == "invalid_grant")
        #expect(try await box.exchange(code, ["code_verifier": verifier]).status == 200)
        let other = try await box.code()
        #expect(try await box.exchange(other, ["code_verifier": verifier]).status == 200)
    }

    @Test("A refresh token is bound to its client, and no access token")
    func refreshRefusals() async throws {
        let answer = try await box.tokens()
        let secret = try box.secret(claims: ["sub": .string(Box.app)])
        let other = try await box.refresh(
            answer["refresh_token"] ?? "",
            ["client_id": Box.app, "client_secret": secret]
        )
        #expect(other.text == #"{"error":"invalid_grant"}"#)
        let access = try await box.refresh(answer["access_token"])
        #expect(access["error_description"] == "The token has expired or has been revoked.")
        #expect(await box.lastHint().hasPrefix("this looks like an access token"))
    }

    @Test("Codes and tokens have 62 to 64 characters, and come from several places")
    func form() async throws {
        let seen: Set<Substring> = [
            "nruy", "mruy", "rruy", "rrsrs", "rrtrs", "mxzs", "nxsu", "nxy",
        ]
        var variesWithinASignIn = false
        for _ in 1...20 {
            let code = try await box.code()
            let tokens = try await box.exchange(code)
            let texts = [code, tokens["access_token"] ?? "", tokens["refresh_token"] ?? ""]
            for text in texts { #expect((62...64).contains(text.count), "\(text)") }
            let places = Set(texts.flatMap { $0.split(separator: ".").dropFirst(2).prefix(1) })
            #expect(places.isSubset(of: seen))
            if places.count > 1 { variesWithinASignIn = true }
        }
        #expect(variesWithinASignIn)
    }

    @Test("A refresh token does not expire") func refreshToken() async throws {
        let token = try await box.tokens()["refresh_token"]
        box.time.advance(bySeconds: 3 * 365 * 86_400)
        #expect(try await box.refresh(token).status == 200)
    }

    @Test("Refresh tokens of several sign-ins are valid at a time") func sideBySide() async throws {
        let tokens = [try await box.tokens(), try await box.tokens()].map { $0["refresh_token"] }
        #expect(tokens[0] != tokens[1])
        for token in tokens { #expect(try await box.refresh(token).status == 200) }
    }

    @Test("An access token is over after an hour", arguments: [3_599, 3_600])
    func accessToken(age: Int) async throws {
        let tokens = try await box.tokens()
        box.time.advance(bySeconds: Double(age))
        _ = try await box.revoke(tokens["access_token"])
        let isRevoked = try await box.refresh(tokens["refresh_token"]).status == 400
        #expect(isRevoked == (age < 3_600))
    }

    @Test("Parameters that mean nothing here are ignored") func extras() async throws {
        let code = try await box.code()
        #expect(try await box.exchange(code, ["scope": "name", "colour": "red"]).status == 200)
    }

    private func replies(_ box: Box, _ codes: [String]) async throws -> [Reply] {
        let secret = try box.secret()
        return try await withThrowingTaskGroup(of: Reply.self) { group in
            for code in codes {
                group.addTask { try await box.exchange(code, ["client_secret": secret]) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("Of many exchanges of one code, one succeeds") func oneCode() async throws {
        let box = try await Box()
        let code = try await box.code()
        let replies = try await replies(box, Array(repeating: code, count: 24))
        #expect(replies.count { $0.status == 200 } == 1)
        #expect(replies.count { $0["error"] == "invalid_grant" } == 23)
    }

    @Test("Every token of many exchanges is whole, and signed by a published key")
    func manyCodes() async throws {
        let box = try await Box()
        let document = await box.send(.get, "/auth/keys").answer.body
        let published = try JSONWebKeySet(json: document).verificationKeys()
        var codes: [String] = []
        for _ in 1...24 { codes.append(try await box.code()) }
        let replies = try await replies(box, codes)
        var names: Set<String> = []
        for reply in replies {
            #expect(reply.status == 200)
            let token = try UnverifiedToken(try #require(reply["id_token"]))
            let key = try #require(published[token.header.keyID ?? ""])
            _ = try token.verified(with: key)
            names.insert(TokenText(reply["id_token"]).claims["at_hash"]?.stringValue ?? "")
            #expect(names.contains(HalfHash.make(of: reply["access_token"] ?? "")))
        }
        #expect(names.count == codes.count)
    }

    @Test("A response that a fault replaces has no token") func fault() async throws {
        let box = try await Box()
        let code = try await box.code()
        _ = try await box.apple.addFault(["endpoint": "token", "status": 503, "body": "later"])
        #expect(try await box.exchange(code).text == "later")
        _ = try await box.apple.addFault([
            "endpoint": "token", "content_type": "text/plain", "headers": ["X-Note": "1"],
        ])
        let reply = try await box.exchange(code)
        #expect(reply.header("Content-Type") == "text/plain")
        _ = try UnverifiedToken(try #require(reply["id_token"]))
    }
}
