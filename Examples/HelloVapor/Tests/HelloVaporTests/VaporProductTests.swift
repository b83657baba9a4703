import AppleEmulatorTesting
import Fluent
import SignInWithAppleVapor
import Testing
import Vapor
import VaporTesting

@testable import HelloVapor

@Suite("What a server with Vapor adds itself") struct VaporProductTests {
    @Test("a password opens the session that a sign-in with Apple replaces") func password()
        async throws
    {
        try await withHello { hello in
            let web = WebFlow(redirectURI: Hello.url + "/auth/apple/callback")
            addPasswordSignIn(to: hello.app, web)
            try await hello.app.db.schema("passwords")
                .field("username", .string, .identifier(auto: false))
                .field("user_id", .uuid).field("hash", .string).create()
            var browser = try await hello.signedIn()
            let password = Password()
            password.id = "maya"
            password.$user.id = try #require(try await User.query(on: hello.app.db).first()?.id)
            password.hash = try hello.app.password.hash("juice")
            try await password.create(on: hello.app.db)
            let wrong = try await browser.post(
                "/password",
                ["username": "maya", "password": "other"]
            )
            #expect(wrong.status == 401)
            try await browser.post("/sign-out")
            let right = try await browser.post(
                "/password",
                ["username": "maya", "password": "juice"]
            )
            #expect(right.url.path() == "/account")
        }
    }

    @Test("a route of one's own verifies the token of an app") func verify() async throws {
        try await withHello { hello in
            let app = hello.app
            app.apple = try hello.apple.signIn()
            app.post("login") { request in
                let nonce = try request.content.get(String.self, at: "nonce")
                let identity = try await request.apple.verify(nonce: .sha256(nonce))
                return identity.userID.rawValue
            }
            let credential = try await hello.apple.credentials(
                nonce: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
            )
            func answer(_ token: String?, _ nonce: String) async throws -> TestingHTTPResponse {
                try await app.testing().sendRequest(.POST, "/login") { request in
                    request.headers.bearerAuthorization = token.map { .init(token: $0) }
                    try request.content.encode(["nonce": nonce])
                }
            }
            let right = try await answer(credential.identityToken, "hello")
            #expect(right.body.string == credential.user.rawValue)
            let wrong = try await answer(credential.identityToken, "other")
            #expect(wrong.status == .unauthorized)
            #expect(!wrong.body.string.contains("nonce"))
            #expect(try await answer(nil, "hello").status == .unauthorized)
        }
    }

    @Test("Vapor's own session gets another identifier at each sign-in") func renewal() async throws
    {
        try await withHello { hello in
            hello.app.sessions.configuration = .signInWithApple(
                publicURL: "https://juice.example.com",
                lifetime: .seconds(60)
            )
            hello.app.grouped(hello.app.sessions.middleware).post("renew") { request in
                try await request.renewSession(replacing: nil)
                request.session.data["user"] = "maya"
                return HTTPStatus.ok
            }
            var browser = try hello.browser()
            try await browser.post("/renew")
            let first = try #require(browser.cookies["__Host-session"])
            #expect(first.isHTTPOnly && first.isSecure && first.sameSite == "lax")
            try await browser.post("/renew")
            #expect(browser.cookies["__Host-session"]?.value != first.value)
        }
    }
}
