import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import SignInWithAppleHummingbird
import TestSupport
import Testing

@Suite("Signing in with a browser", HelloWorld.lending) struct WebRoutesTests {
    private let world: HelloWorld
    init() throws { world = try HelloWorld.lending.value }

    @Test("A first sign-in ends on the requested page, and the name is stored")
    func wholeWay() async throws {
        let (form, cookie) = try await world.callback(from: "/auth/apple?return_to=/hello")
        let answer = try await world.post(form.formBody, cookie: cookie)
        #expect(answer.status == .seeOther)
        #expect(answer.headers[.location] == "/hello")
        let session = try HelloWorld.cookie(in: answer)
        #expect(session.hasPrefix("__Host-siwa-session="))
        #expect(try await world.get("/hello", cookie: session).text == "Hello, Maya Lindgren")
        #expect(try await world.get("/hello").status == .unauthorized)
    }

    @Test("The pending sign-in's cookie travels between sites, the session's does not")
    func cookies() async throws {
        let begun = try await world.get("/auth/apple")
        let pending = try #require(begun.headers[.setCookie])
        #expect(pending.hasPrefix("__Host-siwa-pending-"))
        #expect(pending.hasSuffix("Max-Age=86400; Path=/; Secure; HttpOnly; SameSite=None"))
        #expect(begun.headers[.cacheControl] == "no-store")

        let (form, cookie) = try await world.callback()
        let fields = try await world.post(form.formBody, cookie: cookie).headers[values: .setCookie]
        #expect(fields.count == 2)
        #expect(fields[0].hasSuffix("Path=/; Secure; HttpOnly; SameSite=Lax"))
        #expect(fields[1].contains("=; Max-Age=0; "))
    }

    @Test("Another browser cannot finish a sign-in") func anotherBrowser() async throws {
        let (form, _) = try await world.callback()
        let (_, other) = try await world.callback()
        let page = try await world.post(form.formBody, cookie: nil)
        #expect(page.status == .ok)
        let again = HelloWorld.hiddenFields(of: page)
        for (body, cookie) in [(form.formBody, other), (again, other), (again, nil)] {
            let answer = try await world.post(body, cookie: cookie)
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("<code>state_mismatch</code>"))
            #expect(answer.headers[values: .setCookie].isEmpty)
        }
    }

    @Test(
        "A callback without a cookie is posted again from the own site, once",
        arguments: ["https://juice.example.com", "http://localhost:8080"]
    )
    func forwarding(publicURL: String) async throws {
        try await withHelloWorld(at: publicURL) { world in
            let (form, cookie) = try await world.callback(from: "/auth/apple?return_to=/hello")
            let page = try await world.post(form.formBody, cookie: nil)
            #expect(page.status == .ok)
            #expect(page.headers[values: .setCookie].isEmpty)
            #expect(page.text.contains("action=\"/auth/apple/callback\""))
            #expect(page.text.contains("<button type=\"submit\">"))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("script-src \(CallbackForwarding.scriptSource)"))
            let fields = HelloWorld.hiddenFields(of: page)
            let refused = try await world.post(fields, cookie: nil)
            #expect(refused.text.contains("<code>state_mismatch</code>"))
            let answer = try await world.post(fields, cookie: cookie)
            #expect(answer.headers[.location] == "/hello")
            let session = try HelloWorld.cookie(in: answer)
            #expect(try await world.get("/hello", cookie: session).text == "Hello, Maya Lindgren")
        }
    }

    @Test("At http the cookies are plain") func plainCookies() async throws {
        try await withHelloWorld(at: "http://localhost:8080") { world in
            let begun = try await world.get("/auth/apple")
            let pending = try #require(begun.headers[.setCookie])
            #expect(pending.hasPrefix("siwa-pending-"))
            #expect(pending.hasSuffix("; Max-Age=86400; Path=/; HttpOnly; SameSite=Lax"))
            let (form, cookie) = try await world.callback()
            let fields = try await world.post(form.formBody, cookie: cookie)
                .headers[values: .setCookie]
            #expect(fields.count == 2)
            #expect(fields.allSatisfy { $0.hasSuffix("; Path=/; HttpOnly; SameSite=Lax") })
            let secure = "__Host-" + fields[0].prefix { $0 != ";" }
            #expect(try await world.get("/hello", cookie: secure).status == .unauthorized)
        }
    }

    @Test("At https a plain session cookie, which a neighboring host can write, opens nothing")
    func plainCookieAtHTTPS() async throws {
        let (form, cookie) = try await world.callback()
        let session = try HelloWorld.cookie(in: try await world.post(form.formBody, cookie: cookie))
        let plain = session.replacing("__Host-", with: "")
        #expect(try await world.get("/hello", cookie: plain).status == .unauthorized)
    }

    @Test("The cookie of a framework's own sessions names the session that a sign-in replaces")
    func ownSessionCookie() async throws {
        let seed = Seed.demo(redirectURIs: [HelloWorld.redirectURI])
        try await withAppleEmulator(seed: seed) { apple in
            var web = WebFlow(
                redirectURI: HelloWorld.redirectURI,
                sealer: try TokenSealer(keys: HelloWorld.sealingKeys),
                servicesID: "com.example.juice.web"
            )
            web.sessionCookieName = "own-session"
            let router = Router()
            try router.signInWithApple(apple.signIn(), web: web) { signIn, _ in
                .response(.redirect(to: "/" + (signIn.previousSessionToken ?? "none")))
            }
            try await Application(router: router).test(.router) { client in
                let world = HelloWorld(apple: apple, client: client)
                let token = String(repeating: "a", count: 43) + "="
                let begun = try await world.get("/auth/apple", cookie: "own-session=\(token)")
                let address = try #require(begun.headers[.location].flatMap { URL(string: $0) })
                let form = try await apple.authorize(address)
                // Apple's form comes from another site: without the session's cookie.
                let cookie = try HelloWorld.cookie(in: begun)
                let answer = try await world.post(form.formBody, cookie: cookie)
                #expect(answer.headers[.location] == "/" + token)
            }
        }
    }

    @Test("Signing out clears the framework's own session cookie, or the routes'")
    func clearedSessionCookie() throws {
        var web = WebFlow(
            redirectURI: HelloWorld.redirectURI,
            sealer: try TokenSealer(keys: HelloWorld.sealingKeys),
            servicesID: "com.example.juice.web"
        )
        let request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/sign-out")
        let rest = "=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax"
        #expect(web.clearedSessionCookie(for: request).value == "__Host-siwa-session" + rest)
        web.sessionCookieName = "own-session"
        #expect(web.clearedSessionCookie(for: request).value == "own-session" + rest)
    }

    @Test("A callback that is posted twice signs in once, and is refused after a minute")
    func doubled() async throws {
        try await withLedger { ledger, world, replica in
            let (form, cookie) = try await world.callback()
            async let other = world.post(form.formBody, cookie: cookie)
            let first = try await world.post(form.formBody, cookie: cookie)
            let fields = first.headers[values: .setCookie]
            #expect(first.status == .seeOther)
            #expect(fields.contains { $0.hasPrefix("__Host-siwa-session=") })
            #expect(try await other.headers[values: .setCookie] == fields)
            #expect(await ledger.signIns.count == 1)
            // The state alone is not enough, and a replica does not know the response.
            let stranger = try await world.post(form.formBody, cookie: nil)
            #expect(stranger.headers[values: .setCookie].isEmpty)
            #expect(try await replica.post(form.formBody, cookie: cookie).status == .unauthorized)
            world.apple.time.advance(bySeconds: 60)
            let late = try await world.post(form.formBody, cookie: cookie, accept: "*/*")
            #expect(late.json?["code"] == "apple_refused_grant")
        }
    }

    @Test(
        "A key derived from the team's encrypts for ten minutes, a sealer of one's own for longer"
    )
    func lifetimes() async throws {
        for (keys, pending, name) in [
            (HelloWorld.sealingKeys, 86_400, 30 * 86_400), (nil, 600, 600),
        ] {
            try await withLedger(sealingKeys: keys) { ledger, world, _ in
                await ledger.fail(with: Ledger.Failure())
                let begun = try await world.get("/auth/apple")
                #expect(begun.headers[.setCookie]?.contains("Max-Age=\(pending);") == true)
                let (form, cookie) = try await world.callback()
                let failed = try await world.post(form.formBody, cookie: cookie)
                let kept = failed.headers[values: .setCookie].first { $0.contains("siwa-name-") }
                #expect(kept?.contains("Max-Age=\(name);") == true, "\(failed.headers)")
                await ledger.fail(with: nil)
                let cookies = "\(cookie); \(HelloWorld.cookies(in: failed))"
                #expect(try await world.post(form.formBody, cookie: cookies).status == .seeOther)
                #expect(await ledger.signIns.first?.name?.displayName == "Maya Lindgren")
            }
        }
    }

    @Test("A server with another way to sign in opens and prolongs the routes' session")
    func sessionOfAnotherWay() throws {
        let web = WebFlow(redirectURI: HelloWorld.redirectURI)
        let session = WebSession(lifetime: .seconds(60))
        var request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/password")
        let pair = "__Host-siwa-session=\(session.token)"
        let rest = "; Path=/; Secure; HttpOnly; SameSite=Lax"
        let field = web.sessionCookie(session, for: request)
        #expect(field.name == .setCookie && field.value == pair + "; Max-Age=60" + rest)
        #expect(web.renewedSessionCookie(for: request, lifetime: .seconds(90)) == nil)
        request.headerFields[.cookie] = "theme=dark; " + pair
        let renewed = web.renewedSessionCookie(for: request, lifetime: .seconds(90))
        #expect(renewed?.value == pair + "; Max-Age=90" + rest)
        let plain = WebFlow(redirectURI: "http://localhost:8080/auth/apple/callback")
        #expect(plain.sessionCookie(session, for: request).value.hasPrefix("siwa-session="))
        request.headerFields[.authorization] = "Bearer " + String(repeating: "a", count: 64)
        #expect(web.renewedSessionCookie(for: request, lifetime: .seconds(90)) == nil)
        let apple = try world.apple.signIn()
        #expect(apple.pendingSignIns(of: web, following: session, in: request).isEmpty)
    }

    @Test("A sign-in that took longer than ten minutes is refused") func tooLate() async throws {
        let (form, cookie) = try await world.callback()
        world.apple.time.advance(bySeconds: 601)
        let answer = try await world.post(form.formBody, cookie: cookie, accept: "*/*")
        #expect(answer.json?["code"] == "state_expired")
    }

    @Test("Fields of another sign-in, duplicate ones and none are rejected")
    func fields() async throws {
        let (form, cookie) = try await world.callback()
        let (other, _) = try await world.callback()
        let state = try #require(form["state"])
        let code = try #require(form["code"])
        let token = try #require(other["id_token"])
        let body = String(decoding: form.formBody, as: UTF8.self)
        let refused = [
            ("state=\(state)&code=\(code)&id_token=\(token)", "token_nonce_mismatch"),
            ("state=\(state)&code=\(code)", "callback_incomplete"),
            ("code=\(code)", "state_missing"),
            (body + "&state=\(state)", "state_duplicate"),
            ("", "callback_malformed"),
        ]
        for (body, code) in refused {
            let answer = try await world.post(Data(body.utf8), cookie: cookie, accept: "*/*")
            #expect(answer.json?["code"]?.stringValue == code)
        }
        // None of them used up the code.
        #expect(try await world.post(form.formBody, cookie: cookie).status == .seeOther)
    }

    @Test("A user who presses Cancel comes back without a session") func cancelled() async throws {
        let (form, cookie) = try await world.callback(isContinuing: false)
        let answer = try await world.post(form.formBody, cookie: cookie)
        #expect(answer.headers[.location] == "/")
        #expect(answer.headers[values: .setCookie].allSatisfy { $0.contains("Max-Age=0") })
    }

    @Test(
        "No link sends a browser to another site, or ends a sign-in where the next one begins",
        arguments: [
            "https://evil.example", "//evil.example", "/%5Cevil.example", "/%09/evil.example",
            "evil.example", "%2F%2Fevil.example",
            "/auth/apple", "/auth/apple%3Fpurpose%3Dlink", "/auth/apple%23a", "/./auth/apple",
            "/hello/../auth//apple/", "/%2561uth/%2E%2E/auth/apple", "/auth/apple/callback",
        ]
    )
    func openRedirect(_ path: String) async throws {
        let (form, cookie) = try await world.callback(from: "/auth/apple?return_to=\(path)")
        let answer = try await world.post(form.formBody, cookie: cookie)
        #expect(answer.headers[.location] == "/")
    }

    @Test("When Apple is away, reloading the page succeeds later") func appleAway() async throws {
        let (form, cookie) = try await world.callback()
        try await world.apple.fail(.token)
        let answer = try await world.post(form.formBody, cookie: cookie)
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.headers[.retryAfter] != nil)
        #expect(answer.text.contains(">Try again</button>"))
        #expect(try await world.post(form.formBody, cookie: cookie).status == .seeOther)
    }

    @Test("A name that cannot be read is omitted; the sign-in continues")
    func unreadableName() async throws {
        try await withLedger { ledger, world, _ in
            for user in ["null", #"{"name":7}"#, "Maya"] {
                let (form, cookie) = try await world.callback()
                let answer = try await world.post(Self.form(form, user: user), cookie: cookie)
                #expect(answer.status == .seeOther, "\(answer.text)")
            }
            #expect(await ledger.signIns.map(\.name) == [nil, nil, nil])
        }
    }

    @Test("A name beyond its limits is requested again, and the code stays unused")
    func longName() async throws {
        let stacked = "a" + String(repeating: "\u{301}", count: 10_000)
        for name in [String(repeating: "a", count: 201), stacked] {
            try await withLedger { ledger, world, _ in
                let (form, cookie) = try await world.callback()
                let user = #"{"name":{"firstName":"\#(name)"}}"#
                let page = try await world.post(Self.form(form, user: user), cookie: cookie)
                #expect(page.status == .unprocessableContent)
                #expect(page.text.contains("<code>name_too_long</code>"))
                let fields = Self.hiddenFields(of: page) + [("name", "May\u{202E}a")]
                let again = try await world.postAgain(fields, cookie: cookie, site: "same-origin")
                #expect(again.status == .seeOther, "\(again.text)")
                #expect(await ledger.signIns.map(\.name?.displayName) == ["Maya"])
            }
        }
    }

    @Test("The button of a failure works with and without Sec-Fetch-Site, and from own pages only")
    func again() async throws {
        try await withLedger { ledger, world, _ in
            await ledger.fail(with: Ledger.Failure())
            let (form, cookie) = try await world.callback()
            let page = try await world.post(form.formBody, cookie: cookie)
            let name = try #require(HTTPField.Name("Referrer-Policy"))
            // With no-referrer browsers would post the form below with "Origin: null".
            #expect(page.headers[name] == "same-origin")
            let fields = Self.hiddenFields(of: page)
            #expect(fields.count == 2)
            let cookies = "\(cookie); \(HelloWorld.cookies(in: page))"
            await ledger.fail(with: nil)
            for (site, origin) in [
                ("cross-site", "https://juice.example.com"), ("none", nil), (nil, "null"),
                (nil, nil), (nil, "https://evil.example"), (nil, "http://juice.example.com"),
            ] {
                let refused = try await world.postAgain(
                    fields,
                    cookie: cookies,
                    site: site,
                    origin: origin
                )
                #expect(refused.status == .forbidden)
            }
            #expect(await ledger.signIns.isEmpty)
            let answer = try await world.postAgain(
                fields,
                cookie: cookies,
                origin: "https://juice.example.com"
            )
            #expect(answer.status == .seeOther)
            #expect(await ledger.signIns.first?.grant?.refreshToken?.isEmpty == false)
        }
    }

    @Test("A failed sign-in stays repeatable for its day when another tab finishes")
    func otherTab() async throws {
        try await withLedger { ledger, world, _ in
            await ledger.fail(with: Ledger.Failure())
            let (form, cookie) = try await world.callback()
            let page = try await world.post(form.formBody, cookie: cookie)
            let kept = HelloWorld.cookies(in: page)
            await ledger.fail(with: nil)

            let (other, otherCookie) = try await world.callback(cookie: kept)
            let finished = try await world.post(other.formBody, cookie: "\(kept); \(otherCookie)")
            let name = cookie.prefix { $0 != "=" }
            #expect(kept.contains(name))
            let followed = finished.headers[values: .setCookie].filter { $0.hasPrefix(name) }
            #expect(followed.count == 1)
            #expect(followed.first?.contains("; Max-Age=86400; ") == true, "\(followed)")
        }
    }

    @Test("The response to a rejected credential names the authentication scheme")
    func challenge() async throws {
        let refused = try await world.signIn(["identityToken": "a.b.c", "authorizationCode": "c"])
        #expect(refused.status == .unauthorized)
        #expect(refused.headers[.wwwAuthenticate] == "Bearer")
    }

    private static func form(_ form: TestCallback, user: String) -> Data {
        let fields = form.fields.map { ($0.name, $0.value) }.filter { $0.0 != "user" }
        return HelloWorld.form(fields + [("user", user)])
    }

    private static func hiddenFields(of page: TestResponse) -> [(String, String)] {
        page.text.matches(of: /<input type="hidden" name="([a-z]+)" value="([^"]*)">/)
            .map { (String($0.1), String($0.2)) }
    }
}
