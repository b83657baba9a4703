import AccountsSQLite
import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import SignInWithApple
import Testing

@Suite(TestServer.lending) struct NativeSignInTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    @Test func appSignsIn() async throws {
        let credential = try await server.apple.credentials(hidesEmail: true)
        let answer = try await server.signInNatively(credential, name: credential.fullName)
        #expect(answer.status == .created, "\(answer.text)")
        let account = try #require(answer.json?["account"]?.objectValue)
        #expect(account["name"] == "Maya Lindgren")
        #expect(account["givenName"] == "Maya" && account["familyName"] == "Lindgren")
        #expect(account["appleLinkRemains"] == false)
        #expect(account["emailIsPrivateRelay"] == true)
        #expect(account["username"] == .null)
        #expect(account["apple"]?.objectValue?["user"]?.stringValue == credential.user.rawValue)
        let created = try #require(account["createdAt"]?.stringValue)
        #expect(created.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        #expect(answer.json?["expiresAt"]?.stringValue?.hasSuffix("Z") == true)
    }

    @Test func signingInAgainEndsTheSessionThatIsSentAlong() async throws {
        let old = try await server.token()
        let other = try await server.token()
        for (header, live) in [
            ("Bearer nonsense", [old, other]), ("Basic YTpi", [old, other]),
            ("Bearer \(old)", [other]), ("Bearer \(old)", [other]),
        ] {
            let credential = try await server.apple.credentials()
            let body: JSONObject = ["identityToken": .string(credential.identityToken)]
            let answer = try await server.send(
                .post,
                "/api/sessions/apple",
                .json + [.authorization: header],
                body: JSONValue.object(body).text
            )
            #expect(answer.status == .created, "\(answer.text)")
            for token in [old, other] {
                let shown = try await server.get("/api/account", token)
                #expect(shown.status == (live.contains(token) ? .ok : .unauthorized))
            }
        }
    }

    @Test func nonceFromTheServerWorksOnce() async throws {
        try await withAccountsServer({ $0.requiresNonce = true }) { server in
            let made = try await server.send(.post, "/api/nonces")
            #expect(made.status == .created)
            let nonce = try #require(made.json?["nonce"]?.stringValue)
            let hash = SHA256.hash(data: Data(nonce.utf8)).map { String(format: "%02x", $0) }
                .joined()
            let credential = try await server.apple.credentials(nonce: hash)
            #expect(try await server.signInNatively(credential, nonce: nonce).status == .created)
            let second = try await server.apple.credentials(nonce: hash)
            let refused = try await server.signInNatively(second, nonce: nonce)
            expectRefusal(refused, .unauthorized, "nonce_used")
            let without = try await server.signInNatively(try await server.apple.credentials())
            #expect(without.code == "nonce_required")
        }
    }

    @Test func wrongNonceIsRefused() async throws {
        let credential = try await server.apple.credentials(nonce: "one")
        let refused = try await server.signInNatively(credential, nonce: "other")
        expectRefusal(refused, .unauthorized, "token_nonce_mismatch")
    }

    @Test func expiredTokenIsRefused() async throws {
        let credential = try await server.apple.credentials()
        server.apple.time.advance(bySeconds: 86_400 + 3600)
        expectRefusal(try await server.signInNatively(credential), .unauthorized, "token_expired")
    }

    @Test func alteredTokenIsRefusedAndConsumesNothing() async throws {
        let credential = try await server.apple.credentials()
        let altered = AlteredToken.of(credential.identityToken)
        let refused = try await server.signIn(identityToken: altered)
        expectRefusal(refused, .unauthorized, "token_signature_invalid")
        #expect(try await server.signInNatively(credential).status == .created)
    }

    /// What Apple's popup hands a page; by default with a nonce of the server.
    private func popup(_ server: TestServer, nonce: String? = nil) async throws -> JSONObject {
        let made = try await server.send(.post, "/api/nonces").json?["nonce"]?.stringValue
        let sent = try #require(nonce ?? made)
        let address = try server.apple.signIn().authorizationURL(
            clientID: "com.example.juice.web",
            redirectURI: "https://juice.example.com/sign-in/apple/callback",
            scopes: [.name],
            state: "s-1",
            nonce: sent
        )
        let form = try await server.apple.authorize(address)
        return [
            "identityToken": .string(try #require(form["id_token"])), "nonce": .string(sent),
            "authorizationCode": .string(try #require(form["code"])),
            "redirectUri": "https://juice.example.com/sign-in/apple/callback",
        ]
    }

    @Test func popupsTokenSignsInAndLinks() async throws {
        try await withPasswordServer({ $0.nativeClientIDs = [] }) { server in
            let token = try await server.tokenOfNewAccount()
            let linked = try await server.put("/api/account/apple", popup(server), token)
            #expect(linked.status == .ok, "\(linked.text)")
            let growth = try await server.growth {
                let answer = try await server.postJSON("/api/sessions/apple", popup(server))
                #expect(answer.status == .created, "\(answer.text)")
            }
            #expect(growth[#"siwa_sign_ins_total{outcome="ok",way="apple_token"}"#] == 1)
        }
    }

    @Test(arguments: [true, false]) func popupsTokenNeedsOurNonce(isRequired: Bool) async throws {
        try await withAccountsServer({ $0.requiresNonce = isRequired }) { server in
            var body = try await popup(server, nonce: "the page's own")
            let refused = try await server.postJSON("/api/sessions/apple", body)
            expectRefusal(refused, .unauthorized, "nonce_unknown")
            body["nonce"] = nil
            body["identityToken"] = try await browser.callback()["id_token"].map { .string($0) }
            expectRefusal(
                try await server.postJSON("/api/sessions/apple", body),
                .unauthorized,
                "token_nonce_mismatch"
            )
        }
    }

    @Test(arguments: [
        ("https://shop.example.com/", "apple_refused_grant"),
        ("https://evil.example.com/", "redirect_uri_not_allowed"),
    ])
    func redirectIsAtAnAllowedOrigin(redirectURI: String, code: String) async throws {
        let shop = try AllowedOrigins(["https://shop.example.com"])
        try await withAccountsServer({ $0.allowedOrigins = shop }) { server in
            var body = try await popup(server)
            body["redirectUri"] = .string(redirectURI)
            #expect(try await server.postJSON("/api/sessions/apple", body).code == code)
        }
    }

    @Test func replayedTokenIsRefused() async throws {
        let credential = try await server.apple.credentials()
        #expect(try await server.signInNatively(credential).status == .created)
        expectRefusal(try await server.signInNatively(credential), .unauthorized, "token_replayed")
    }

    @Test(arguments: ["sign-in", "link"])
    func equalPostsAtOnceSucceedOnceAndAreReplaysAfterwards(purpose: String) async throws {
        try await withPasswordServer { server in
            let token = purpose == "link" ? try await server.tokenOfNewAccount() : nil
            let credential = try await server.apple.credentials()
            let answers = try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        guard let token else { return try await server.signInNatively(credential) }
                        return try await server.put("/api/account/apple", credential.request, token)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status.kind == .successful } == 1)
            #expect(answers.count { $0.code == "token_replayed" } == 3, "\(answers.map(\.code))")
        }
    }

    @Test func longNameConsumesNothing() async throws {
        let credential = try await server.apple.credentials()
        let long = PersonName(givenName: String(repeating: "a", count: 10_000))
        let refused = try await server.signInNatively(credential, name: long)
        expectRefusal(refused, .unprocessableContent, "name_too_long")
        let answer = try await server.signInNatively(
            credential,
            name: PersonName(givenName: "Maya")
        )
        #expect(answer.status == .created)
    }

    @Test func misspeltNameConsumesNothing() async throws {
        let credential = try await server.apple.credentials()
        func signIn(_ name: JSONValue) async throws -> TestResponse {
            try await server.postJSON(
                "/api/sessions/apple",
                [
                    "identityToken": .string(credential.identityToken),
                    "authorizationCode": .string(credential.authorizationCode),
                    "fullName": name,
                ]
            )
        }
        let refused = try await signIn(["given_name": "Maya"])
        expectRefusal(refused, .badRequest, "field_unknown")
        #expect(refused.text.contains("fullName.given_name"))
        let answer = try await signIn(["givenName": "Maya", "middleName": "M"])
        #expect(answer.status == .created)
    }

    @Test(arguments: ["fullname", "full_name", "idToken", "nonce\u{301}", "name"])
    func unknownMemberIsRefusedByItsName(name: String) async throws {
        let credential = try await server.apple.credentials()
        var request: JSONObject = credential.request
        request[name] = ["givenName": "Maya"]
        let refused = try await server.postJSON("/api/sessions/apple", request)
        expectRefusal(refused, .badRequest, "field_unknown")
        #expect(refused.json?["detail"]?.stringValue?.contains(name) == true)
        // Nothing was spent: the same credential is still valid.
        request[name] = nil
        let answer = try await server.postJSON("/api/sessions/apple", request)
        #expect(answer.status == .created)
    }

    @Test(arguments: [
        #"{"identityToken":"a","identityToken":"b"}"#,
        #"{"identityToken":"a","\u0069dentityToken":"b"}"#,
        #"{"identityToken":"a","fullName":{"givenName":"Maya","givenName":"Noah"}}"#,
    ])
    func duplicateMemberIsRefused(body: String) async throws {
        let path = "/api/sessions/apple"
        let refused = try await server.send(.post, path, .json, body: body)
        expectRefusal(refused, .badRequest, "json_unreadable")
        #expect(refused.json?["detail"]?.stringValue?.contains("twice") == true)
    }

    @Test func twoMegabytesAreRefused() async throws {
        let refused = try await server.signIn(
            identityToken: String(repeating: "a", count: 2_000_000)
        )
        expectRefusal(refused, .contentTooLarge, "content_too_large")
    }

    @Test func longTokenIsRefused() async throws {
        let refused = try await server.signIn(identityToken: String(repeating: "a", count: 40_000))
        expectRefusal(refused, .unauthorized, "token_too_long")
    }

    @Test(arguments: [
        ("", 400, "json_unreadable"), ("{", 400, "json_unreadable"), ("[]", 400, "json_unreadable"),
        ("\u{0}", 400, "json_unreadable"), ("{}", 422, "field_missing"),
        (#"{"identityToken":7}"#, 422, "field_invalid"),
        (#"{"identityToken":"a","fullName":"Maya"}"#, 422, "field_invalid"),
        (#"{"identityToken":"a.b.c"}"#, 401, "token_malformed"),
        (#"{"identityToken":1e999999}"#, 400, "json_unreadable"),
    ])
    func brokenRequestIsExplained(_ body: String, _ status: Int, _ code: String) async throws {
        let path = "/api/sessions/apple"
        let refused = try await server.send(.post, path, .json, body: body)
        #expect(refused.status.code == status, "\(refused.text)")
        #expect(refused.code == code)
        #expect(refused.headers[.contentType]?.hasPrefix("application/problem+json") == true)
    }

    @Test func deepNestingIsRefused() async throws {
        let path = "/api/sessions/apple"
        for (depth, code) in [(10, "field_unknown"), (20_000, "json_unreadable")] {
            let array = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let body = #"{"identityToken":"a","a":\#(array)}"#
            #expect(try await server.send(.post, path, .json, body: body).code == code)
        }
    }

    @Test func bidirectionalOverridesDoNotStayInANativeName() async throws {
        let credential = try await server.apple.credentials()
        let name = PersonName(givenName: "\u{202E}Maya", familyName: "\u{200B}")
        let answer = try await server.signInNatively(credential, name: name)
        #expect(answer.json?["account"]?.objectValue?["name"] == "Maya")
    }

    @Test func storeFailingAfterTheCodeIsSpentLosesNothing() async throws {
        let credential = try await server.apple.credentials()
        // Fails in the transaction that completes the sign-in, not in the one that begins it.
        try await server.store.queue.write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER broken BEFORE INSERT ON sessions
                        BEGIN SELECT RAISE(ABORT, 'broken'); END
                    """
            )
        }
        let name = PersonName(givenName: "Maya")
        let failed = try await server.signInNatively(credential, name: name)
        #expect(failed.status.code >= 500, "\(failed.text)")
        try await server.store.queue.write { try $0.execute(sql: "DROP TRIGGER broken") }
        let body: JSONObject = [
            "identityToken": .string(credential.identityToken),
            "authorizationCode": .string(credential.authorizationCode),
            "resumeToken": failed.json?["resumeToken"] ?? .null,
        ]
        let answer = try await server.postJSON("/api/sessions/apple", body)
        #expect(answer.status == .created, "\(answer.text)")
        #expect(answer.json?["account"]?.objectValue?["name"] == "Maya")
    }

    @Test func noSecretReachesTheLog() async throws {
        let credential = try await server.apple.credentials()
        let answer = try await server.signInNatively(credential)
        let token = try #require(answer.json?["token"]?.stringValue)
        _ = try await server.send(.get, "/api/account?token=\(token)")
        _ = try await server.signInNatively(credential)
        let log = server.log.text
        #expect(log.contains("token_replayed"))
        for secret in [token, credential.identityToken, credential.authorizationCode] {
            #expect(!log.contains(secret))
        }
        #expect(!log.contains("maya@example.com"))
    }
}
