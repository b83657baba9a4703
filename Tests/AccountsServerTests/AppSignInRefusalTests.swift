import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import TestSupport
import Testing

extension TestServer {
    /// A server with a second redirect URI of the app.
    fileprivate static let lendingToApps = Lending { body in
        try await withAccountsServer(
            { configuration in
                configuration.appRedirects = try AppRedirects(
                    ["com.example.juice=com.example.desk:/signed-in"],
                    bundleIDs: ["com.example.juice"]
                )
            },
            body
        )
    }
}

@Suite("An invalid browser sign-in of an app", TestServer.lendingToApps)
struct AppSignInRefusalTests {
    private let server: TestServer
    init() throws { server = try TestServer.lendingToApps.lent.0 }

    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let expected: String
        let change: @Sendable (inout AppClient) -> Void

        init(
            _ description: String,
            _ expected: String,
            _ change: @escaping @Sendable (inout AppClient) -> Void
        ) {
            self.description = description
            self.expected = expected
            self.change = change
        }
    }

    private static func redirect(_ address: String) -> Case {
        Case("redirect to \(address)", "app_redirect_mismatch") { $0.redirectURI = address }
    }

    static let pages: [Case] =
        [
            Case("no client", "app_client_unknown") { $0.clientID = nil },
            Case("another client", "app_client_unknown") { $0.clientID = "com.example.other" },
            Case("the Services ID", "app_client_unknown") { $0.clientID = "com.example.juice.web" },
            Case("two clients", "app_client_unknown") {
                $0.others = [("client_id", "com.example.juice")]
            },
            Case("no redirect address", "app_redirect_mismatch") { $0.redirectURI = nil },
            Case("two redirect addresses", "app_redirect_mismatch") {
                $0.others = [("redirect_uri", "http://127.0.0.1:51004/signed-in")]
            },
            Case("an address too long", "app_redirect_mismatch") {
                $0.redirectURI = "http://127.0.0.1:1/" + String(repeating: "x", count: 512)
            },
            Case("no challenge", "app_challenge_missing") { $0.challenge = nil },
            Case("a short challenge", "app_challenge_missing") { $0.challenge = "short" },
            Case("no method", "app_challenge_missing") { $0.method = nil },
            Case("the plain method", "app_challenge_missing") { $0.method = "plain" },
            Case("two challenges", "app_challenge_missing") {
                $0.others = [("code_challenge", String(repeating: "a", count: 43))]
            },
            Case("too many parameters", "app_client_unknown") {
                $0.others = (0..<40).map { ("p\($0)", "") }
            },
        ]
        + [
            "http://localhost:51004/signed-in", "http://127.0.0.1/signed-in",
            "http://127.0.0.1:0/signed-in", "http://127.0.0.1:65536/signed-in",
            "http://127.0.0.1:51004", "https://127.0.0.1:51004/signed-in",
            "http://127.0.0.1:51004@evil.example/", "http://127.0.0.1:51004/?x=1",
            "http://127.0.0.1:51004/#x", "http://127.0.0.1:51004/\r\nX: y", "http://127.0.0.2:1/",
            "http://evil.example/", "javascript:alert(1)", "com.example.juice:/signed-in",
            "com.example.desk:/signed-in/", "com.example.desk:/Signed-in",
            "https://juice.example.com/app?x", "http://[::2]:1/", "HTTP://127.0.0.1:51004/",
        ]
        .map(redirect)

    static let answers: [Case] = [
        Case("no state", "invalid_request") { $0.state = nil },
        Case("an empty state", "invalid_request") { $0.state = "" },
        Case("a state too long", "invalid_request") {
            $0.state = String(repeating: "s", count: 513)
        },
        Case("a state with a line break", "invalid_request") { $0.state = "a\r\nb" },
        Case("two states", "invalid_request") { $0.others = [("state", "a")] },
        Case("two of a parameter that is not read", "invalid_request") {
            $0.others = [("scope", "a"), ("scope", "a")]
        },
        Case("another response type", "unsupported_response_type") {
            $0.others = [("response_type", "token")]
        },
        Case("no page", "interaction_required") { $0.others = [("prompt", "none")] },
        Case("an unknown prompt", "invalid_request") { $0.others = [("prompt", "consent login")] },
    ]

    @Test("shows an error page, without a redirect", arguments: pages)
    func page(_ sample: Case) async throws {
        var app = AppClient()
        sample.change(&app)
        let response = try await TestBrowser(server).get(app.path)
        #expect(response.status == .badRequest)
        #expect(response.code == sample.expected)
        #expect(response.headers[.location] == nil)
        #expect(response.headers[.setCookie] == nil)
    }

    @Test("is reported to the app, with a valid state", arguments: answers)
    func answer(_ sample: Case) async throws {
        var app = AppClient()
        sample.change(&app)
        let response = try await TestBrowser(server).get(app.path)
        let answer = try app.answer(response)
        #expect(answer["error"] == sample.expected)
        #expect(answer["iss"] == AppClient.issuer)
        #expect(answer["state"] == nil || answer["state"] == AppClient().state)
        #expect(response.headers[.setCookie] == nil)
    }

    @Test("expires after half an hour, and is useless in another browser")
    func expiry() async throws {
        let browser = TestBrowser(server)
        let path = try await browser.begin(AppClient())
        for stranger in [path, "/sign-in/app/confirm", "/sign-in/app/confirm?request=x"] {
            #expect(try await TestBrowser(server).get(stranger).code == "app_request_unknown")
        }
        server.apple.time.advance(bySeconds: 30 * 60 - 1)
        #expect(try await browser.get(path).status == .ok)
        server.apple.time.advance(bySeconds: 1)
        #expect(try await browser.get(path).code == "app_request_unknown")
    }

    @Test("gives no session for a code of another app, redirect URI or verifier, and uses it up")
    func redemption() async throws {
        let browser = TestBrowser(server)
        try await browser.createAccount()
        let changes: [@Sendable (inout AppClient) -> Void] = [
            { $0.clientID = "com.example.other" },
            { $0.redirectURI = "http://127.0.0.1:51005/signed-in" },
            { $0.redirectURI = "com.example.desk:/signed-in" },
        ]
        for change in changes {
            let app = AppClient()
            let path = try await browser.begin(app)
            let code = try app.answer(try await browser.press("continue", on: path))["code"]
            var other = app
            change(&other)
            let refused = try await other.redeem(code ?? "", at: server)
            expectRefusal(refused, .badRequest, "app_code_invalid")
            let second = try await app.redeem(code ?? "", at: server)
            #expect(second.code == "app_code_invalid")
        }
        let app = AppClient()
        let wrong = [
            "", "short", app.verifier + "+", String(repeating: "v", count: 129),
            AppClient().verifier,
        ]
        for verifier in wrong {
            let path = try await browser.begin(app)
            let code = try app.answer(try await browser.press("continue", on: path))["code"]
            let refused = try await app.redeem(code ?? "", verifier: verifier, at: server)
            #expect(refused.code == "app_code_invalid")
            let second = try await app.redeem(code ?? "", at: server)
            #expect(second.code == "app_code_invalid", "after \(verifier)")
        }
    }

    @Test("is refused with an invalid body")
    func bodies() async throws {
        let bodies: [JSONObject] = [
            [:], ["code": "c", "codeVerifier": "v", "redirectUri": "r"],
            ["code": 1, "codeVerifier": "v", "redirectUri": "r", "clientId": "c"],
            ["code": "c", "codeVerifier": "v", "redirectUri": "r", "clientId": "c", "x": "y"],
        ]
        for body in bodies {
            let refused = try await server.postJSON("/api/sessions/code", body)
            #expect(refused.status.kind == .clientError && refused.code != nil)
        }
        let get = try await server.send(.get, "/api/sessions/code")
        #expect(get.status == .methodNotAllowed || get.status == .notFound)
    }

    @Test("leaves no code, state or verifier in the log")
    func log() async throws {
        let (app, browser) = (AppClient(), TestBrowser(server))
        try await browser.createAccount()
        let path = try await browser.begin(app)
        let code = try app.answer(try await browser.press("continue", on: path))["code"] ?? ""
        _ = try await app.redeem(code, at: server)
        let lines = server.log.text
        #expect(lines.contains("app code issued"))
        for secret in [code, app.verifier, app.challenge ?? "", app.state ?? ""] {
            #expect(!lines.contains(secret))
        }
    }
}
