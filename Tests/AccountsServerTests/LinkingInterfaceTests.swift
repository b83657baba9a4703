import Accounts
import AccountsServer
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The API for linking Apple", TestServer.lendingWithMail) struct LinkingInterfaceTests {
    private let server: TestServer
    init() throws { server = try TestServer.lendingWithMail.lent.0 }

    private let path = "/api/account/apple"

    @Test("links an app's sign-in to the account of the session, and unlinks it")
    func app() async throws {
        let token = try await server.tokenOfNewAccount()
        #expect(try await state(token) == "notFound")
        let id = try await server.account(token)["id"]
        let linked = try await link(token)
        #expect(linked.status == .ok, "\(linked.text)")
        #expect(linked.json?["id"] == id)
        #expect(linked.json?["apple"]?.objectValue?["clientId"] == "com.example.juice")
        #expect(linked.json?["token"] == nil)
        #expect(try await state(token) == "authorized")
        #expect(try await server.account(try await server.token())["id"] == id)
        let unlinked = try await server.delete(path, token)
        #expect(unlinked.status == .ok && unlinked.json?["apple"] == .null)
        #expect(try await state(token) == "notFound")
        expectRefusal(try await server.delete(path, token), .notFound, "apple_not_linked")
    }

    @Test("returns how each session was opened, and ends those of Apple with the link")
    func sessions() async throws {
        let token = try await server.tokenOfNewAccount()
        _ = try await link(token)
        let phone = try await server.token()
        #expect(try await methods(token) == ["apple", "password"])
        #expect(try await server.delete(path, token).status == .ok)
        #expect(try await methods(token) == ["password"])
        let ended = try await server.get("/api/account", phone)
        expectRefusal(ended, .unauthorized, "session_invalid")
    }

    private func methods(_ token: String) async throws -> [String] {
        let answer = try await server.get("/api/sessions", token)
        return answer.json?["sessions"]?.arrayValue?
            .compactMap { $0.objectValue?["signInMethod"]?.stringValue }.sorted() ?? []
    }

    @Test("refuses a link with the reason, and does not reveal the other account")
    func refused() async throws {
        let maya = try await server.token()
        expectRefusal(try await server.delete(path, maya), .conflict, "last_way_in")
        let noah = try await server.tokenOfNewAccount("noah")
        let elsewhere = try await link(noah)
        expectRefusal(elsewhere, .conflict, "apple_linked_elsewhere")
        #expect(!elsewhere.text.contains("maya"))
        let own = try await link(noah, as: "noah@example.com")
        #expect(own.status == .ok)
        let vera: JSONObject = ["email": "vera@example.com"]
        _ = try await server.apple.emulator.add(.person, vera)
        let second = try await link(noah, as: "vera@example.com")
        expectRefusal(second, .conflict, "apple_link_exists")
        server.apple.time.advance(bySeconds: 601)
        let stale = try await link(noah, as: "noah@example.com")
        expectRefusal(stale, .forbidden, "recent_sign_in_required")
        #expect(try await server.delete(path, noah).code == "recent_sign_in_required")
    }

    @Test("refuses a link with a browser's cookie from another site")
    func crossSite() async throws {
        let token = try await server.tokenOfNewAccount()
        let credential = try await server.apple.credentials()
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let answer = try await server.send(
            .put,
            path,
            [.cookie: "__Host-siwa-session=\(token)", site: "cross-site"] + .json,
            body: #"{"identityToken":"\#(credential.identityToken)"}"#
        )
        expectRefusal(answer, .forbidden, "cross_site_request")
        #expect(try await server.account(token)["apple"] == .null)
    }

    @Test("refuses a sign-in that was altered, and one that was used")
    func tokens() async throws {
        let token = try await server.tokenOfNewAccount()
        let credential = try await server.apple.credentials()
        let altered = AlteredToken.of(credential.identityToken)
        let refused = try await server.put(path, ["identityToken": .string(altered)], token)
        #expect(refused.status == .unauthorized)
        let body: JSONObject = ["identityToken": .string(credential.identityToken)]
        #expect(try await server.put(path, body, token).status == .ok)
        expectRefusal(try await server.put(path, body, token), .unauthorized, "token_replayed")
        let signIn = try await server.postJSON("/api/sessions/apple", body)
        #expect(signIn.code == "token_replayed")
    }

    @Test("requires a session before it verifies the token")
    func session() async throws {
        for token in ["no token", try await server.apple.credentials().identityToken] {
            let body = JSONValue.object(["identityToken": .string(token)]).text
            let answer = try await server.send(.put, path, .json, body: body)
            expectRefusal(answer, .unauthorized, "not_signed_in")
            let ended = try await server.put(path, ["identityToken": .string(token)], "ended")
            expectRefusal(ended, .unauthorized, "session_invalid")
        }
    }

    @Test("exports all stored data as a file, without secrets")
    func export() async throws {
        let token = try await server.tokenOfNewAccount()
        _ = try await link(token)
        let export = try await server.get("/api/account/export", token)
        #expect(export.status == .ok)
        #expect(export.headers[.cacheControl] == "no-store")
        let document = try #require(export.json)
        #expect(document["account"]?.objectValue?["username"] == "maya")
        #expect(document["sessions"]?.arrayValue?.count == 1)
        #expect(document["appleRefreshTokens"]?.arrayValue?.count == 1)
        #expect(document["passwordChangedAt"]?.stringValue != nil)
        #expect(document["appleTransfer"] == .null)
        for secret in [token, "scrypt", "correct horse"] { #expect(!export.text.contains(secret)) }
    }

    @Test("exports the transfer identifier, and says when older activity is left out")
    func largeExport() async throws {
        let token = try await server.token()
        let account = try #require(try await server.account(token)["id"]?.stringValue)
        let state = try #require(try await server.store.transferState(of: AccountID(account)))
        let moved = AppleTransferStep.begin(state.person, identifier: "moved", team: "RECIPIENT1")
        #expect(try await server.store.transfer(moved) == .done)
        // With the entry of the sign-in, there are as many as an export has.
        let context = AuditContext(actor: .server, now: server.apple.time.now)
        let entries = (1..<AccountExport.maximumAuditEntryCount).map {
            context.entry(.consentEnded, of: AccountID(account), part: $0)
        }
        try await server.store.record(entries)
        // The first export has an entry too.
        for isTruncated in [false, true] {
            let export = try #require(try await server.get("/api/account/export", token).json)
            #expect(export["activity"]?.arrayValue?.count == 1000)
            #expect(export["activityIsTruncated"] == .boolean(isTruncated))
            #expect(export["appleTransfer"] == ["identifier": "moved", "teamId": "RECIPIENT1"])
        }
    }

    @Test("links in a browser, from our own page, to the account of the session that started")
    func browser() async throws {
        let browser = TestBrowser(server)
        try await browser.signIn(as: "noah@example.com")
        let mayas = try await passwordBrowser()
        let callback = try await mayas.callback(goal: "?purpose=link&return_to=/")
        let answer = try await mayas.post(callback)
        #expect(answer.status == .seeOther, "\(answer.text)")
        #expect(answer.headers[.location] == "/")
        let account = try await mayas.get("/api/account").json
        #expect(account?["username"] == "maya")
        #expect(account?["apple"]?.objectValue != nil)
        #expect(try await mayas.post(callback).status.code >= 400)
        // Noah's Apple Account opens Noah's account.
        let goal = "?return_to=/%3Fnotice%3Dapple-linked&purpose=link"
        let elsewhere = try await mayas.callback(as: "noah@example.com", goal: goal)
        let refused = try await mayas.post(elsewhere)
        #expect(refused.code == "apple_link_exists")
        #expect(refused.text.contains("<h1>Your Apple Account was not linked</h1>"))
    }

    @Test("starts a link for no other site, and for no unknown purpose")
    func begin() async throws {
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        for other in ["cross-site", "same-site"] {
            let refused = try await server.send(.get, "/sign-in/apple?purpose=link", [site: other])
            expectRefusal(refused, .forbidden, "cross_site_request")
            #expect(refused.headers[.setCookie] == nil)
        }
        for unknown in ["admin", "", "LINK", "link%00"] {
            let refused = try await server.send(.get, "/sign-in/apple?purpose=\(unknown)")
            #expect(refused.status.code >= 400 && refused.code == "purpose_unknown", "\(unknown)")
            #expect(refused.headers[.setCookie] == nil)
        }
        // Any site may start a sign-in.
        let plain = try await server.send(.get, "/sign-in/apple", [site: "cross-site"])
        #expect(plain.status == .seeOther)
    }

    @Test("links nothing in a browser whose session has ended, or that never had one")
    func sessionEnded() async throws {
        let mayas = try await passwordBrowser()
        let callback = try await mayas.callback(goal: "?purpose=link")
        #expect(try await mayas.post("/sign-out").status == .seeOther)
        expectRefusal(try await mayas.post(callback), .unauthorized, "session_invalid")
        let nobody = TestBrowser(server)
        let none = try await nobody.post(try await nobody.callback(goal: "?purpose=link"))
        expectRefusal(none, .unauthorized, "not_signed_in")
        for browser in [mayas, nobody] {
            #expect(!browser.cookieNames.contains("__Host-siwa-session"))
        }
        // Nothing was spent: the Apple Account has no account yet.
        let token = try #require(try await server.signIn("maya").json?["token"]?.stringValue)
        #expect(try await server.account(token)["apple"] == .null)
    }

    /// A browser with the session of a new account with a password.
    private func passwordBrowser() async throws -> TestBrowser {
        TestBrowser(server, session: try await server.tokenOfNewAccount())
    }

    private func link(
        _ token: String,
        as email: String = "maya@example.com"
    ) async throws -> TestResponse {
        let credential = try await server.apple.credentials(for: email)
        return try await server.put(path, credential.request, token)
    }

    private func state(_ token: String) async throws -> String? {
        try await server.get("\(path)/credential-state", token).json?["state"]?.stringValue
    }
}
