import AppleEmulator
import AppleIdentity
import HTTPTypes
import SignedTokens
import Testing

@Suite("Exchanges at the same time") struct ConcurrentExchangeTests {
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
        let code = try #require(try await box.signInOnTheWeb()["code"])
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
        for _ in 1...24 { codes.append(try #require(try await box.signInOnTheWeb()["code"])) }
        let replies = try await replies(box, codes)
        var names: Set<String> = []
        for reply in replies {
            #expect(reply.status == 200)
            let token = try UnverifiedToken(try #require(reply["id_token"]))
            let key = try #require(published[token.header.keyID ?? ""])
            _ = try token.verified(with: key)
            names.insert(TokenText(reply["id_token"] ?? "").claims["at_hash"]?.stringValue ?? "")
            #expect(names.contains(HalfHash.make(of: reply["access_token"] ?? "")))
        }
        #expect(names.count == codes.count)
    }

    @Test("An answer that a fault stands in for has no token in it") func fault() async throws {
        let box = try await Box()
        let code = try #require(try await box.signInOnTheWeb()["code"])
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
