import AccountsSQLite
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite(TestServer.lending) struct HygieneTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    @Test(arguments: ["/sign-in", "/nowhere", "/api/nowhere", "/health/live", "/"])
    func everyAnswerCarriesTheHeaders(_ path: String) async throws {
        let headers = try await server.send(.get, path).headers
        let expected = [
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
            "Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin",
            "Strict-Transport-Security": "max-age=31536000",
        ]
        for (name, value) in expected {
            #expect(headers[try #require(HTTPField.Name(name))] == value)
        }
        let name = try #require(HTTPField.Name("Content-Security-Policy"))
        let policy = try #require(headers[name])
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(headers[.server] == nil)
    }

    @Test func unknownPathsAndMethodsAreProblems() async throws {
        let missing = try await server.send(.get, "/api/nowhere")
        expectRefusal(missing, .notFound, "not_found")
        #expect(missing.json?["status"] == 404)
        #expect(missing.json?["type"] == "about:blank")
        let wrong = try await server.send(.put, "/api/account")
        expectRefusal(wrong, .methodNotAllowed, "method_not_allowed")
        #expect(wrong.headers[.allow] == "DELETE, GET, HEAD, PATCH")
        #expect(try await server.send(.trace, "/api/sessions/x").status.code == 405)
        let text = try await server.send(.post, "/api/sessions/apple", body: "{}")
        expectRefusal(text, .unsupportedMediaType, "content_type_unsupported")
    }

    @Test(arguments: [
        "/metrics/", "/metrics//", "//metrics", "/%6detrics", "//", "/sign-in/", "//sign-in",
        "/sign-in//apple", "/api//account", "/api/account/", "/api/sessions/", "/health//live",
        "/assets//site.css", "/health/live/?x",
    ])
    func otherSpellingsOfAPathAreNotFound(_ path: String) async throws {
        for method in [HTTPRequest.Method.get, .head, .put] {
            #expect(try await server.send(method, path).status == .notFound, "\(method) \(path)")
        }
    }

    @Test func problemsHaveTheirStatusAsTitle() async throws {
        let token = try await server.token()
        let headers = HTTPFields.bearer(token) + .json
        let long = #"{"name":"\#(String(repeating: "a", count: 201))"}"#
        let refusals = [
            try await server.send(.get, "/api/account", .bearer("nonsense")),
            try await server.send(.patch, "/api/account", headers, body: long),
            try await server.send(.delete, "/api/sessions/none", headers),
        ]
        let titles = refusals.map { $0.json?["title"]?.stringValue }
        #expect(titles == ["Unauthorized", "Unprocessable Content", "Not Found"])
        try await server.setStore(isReadOnly: true)
        let unavailable = try await server.send(.delete, "/api/sessions/current", headers)
        #expect(unavailable.json?["title"] == "Service Unavailable")
    }

    @Test func everyUnauthorizedAnswerTellsTheScheme() async throws {
        let credential = try await server.apple.credentials()
        let altered = AlteredToken.of(credential.identityToken)
        let native = try await server.signIn(identityToken: altered)
        let fields = try await browser.callback().fields.map { field in
            let isToken = field.name == "id_token"
            return (field.name, isToken ? AlteredToken.of(field.value) : field.value)
        }
        let page = try await browser.postCallback(TestBrowser.form(fields))
        for answer in [native, page] {
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"accounts\"")
        }
    }

    @Test func unknownPageIsAPageForBrowsers() async throws {
        let page = try await TestBrowser(server).get("/nowhere%3Cscript%3E")
        expectRefusal(page, .notFound, "not_found")
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(!page.text.contains("<script"))
    }

    @Test func pagesHaveNoScriptAndLoadTheirOwnStyle() async throws {
        let page = try await browser.get("/sign-in").text
        #expect(!page.contains("<script"))
        #expect(!page.contains("style="))
        let style = try #require(page.firstMatch(of: /href="(\/assets\/site-[0-9a-f]+\.css)"/))
        let sheet = try await browser.get(String(style.1))
        #expect(sheet.headers[.contentType] == "text/css; charset=utf-8")
        #expect(sheet.headers[.cacheControl]?.contains("immutable") == true)
        #expect(try await browser.get("/assets/site.css").status == .notFound)
    }

    @Test func readinessIsAboutWriting() async throws {
        #expect(try await server.send(.get, "/health/live").status == .ok)
        #expect(try await server.send(.get, "/health/ready").status == .ok)
        // A store that can only be read is not ready, because users cannot sign in.
        try await server.setStore(isReadOnly: true)
        var refused = try await server.send(.get, "/health/ready")
        while refused.status == .ok {
            // The maintenance tries every few seconds.
            server.apple.time.advance(bySeconds: 5)
            refused = try await server.send(.get, "/health/ready")
        }
        expectRefusal(refused, .serviceUnavailable, "store_unavailable")
        #expect(try await server.send(.get, "/health/live").status == .ok)
    }

    @Test func cookieServesTheInterfaceButChangesNeedAnOwnPage() async throws {
        try await browser.signIn()
        #expect(try await browser.get("/api/account").status == .ok)
        for path in ["/api/sessions/current", "/api/sessions", "/api/account"] {
            let refused = try await browser.delete(path, site: "cross-site")
            expectRefusal(refused, .forbidden, "cross_site_request")
        }
        #expect(try await browser.get("/api/account").status == .ok)
        let own = try await browser.delete("/api/sessions/current", site: "same-origin")
        #expect(own.status == .noContent)
        #expect(try await browser.get("/api/account").status == .unauthorized)
    }

    @Test func onlyABearerTokenReplacesTheCookie() async throws {
        try await browser.signIn()
        let cookie = try #require(browser.cookie { $0.hasSuffix("siwa-session") })
        func send(_ method: HTTPRequest.Method, _ field: String, site: String = "same-origin")
            async throws -> TestResponse
        {
            var headers: HTTPFields = [
                .cookie: "\(cookie.name)=\(cookie.value)", .authorization: field,
            ]
            headers[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site
            return try await server.send(method, "/api/account", headers)
        }
        for field in ["Basic YTpi", "Digest username=\"a\"", ""] {
            #expect(try await send(.get, field).status == .ok, "\(field)")
            let forged = try await send(.delete, field, site: "cross-site")
            expectRefusal(forged, .forbidden, "cross_site_request")
        }
        for field in ["Bearer nonsense", "bearer", "Bearer "] {
            #expect(try await send(.get, field).status == .unauthorized, "\(field)")
        }
        #expect(try await send(.delete, "Basic YTpi").status == .noContent)
    }

    @Test func onlyANavigationSetsACookie() async throws {
        for path in ["/sign-in/apple", AppClient().path, "/", "/account/delete", "/confirm"] {
            for fields in [
                ["Mode": "no-cors", "Dest": "image"], ["Mode": "navigate", "Dest": "iframe"],
            ] {
                var headers: HTTPFields = [.accept: "text/html"]
                for (name, value) in fields {
                    headers[try #require(HTTPField.Name("Sec-Fetch-\(name)"))] = value
                }
                let answer = try await server.send(.get, path, headers)
                #expect(answer.headers[values: .setCookie].isEmpty, "\(path)")
                guard path.hasPrefix("/sign-in/") else { continue }
                expectRefusal(answer, .forbidden, "cross_site_request")
            }
        }
    }
}
