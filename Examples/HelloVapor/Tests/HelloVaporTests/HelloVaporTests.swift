import AppleEmulatorTesting
import Fluent
import Testing
import VaporTesting

@testable import HelloVapor

@Suite("The example's server") struct HelloVaporTests {
    @Test("keeps the name of the first sign-in") func name() async throws {
        try await withHello { hello in
            var browser = hello.browser
            try await browser.signIn(hello.apple)
            try await browser.post("/sign-out")
            try await browser.signIn(hello.apple)
            let start = try await browser.get("/")
            #expect(start.body.string.contains("Hello, Maya Lindgren!"))
        }
    }

    @Test("knows one person in the app and in the browser") func onePerson() async throws {
        try await withHello { hello in
            let signedIn = try await hello.signInApp()
            #expect(signedIn.status == .created)
            let token = try signedIn.content.get(String.self, at: "token")
            var browser = hello.browser
            try await browser.signIn(hello.apple)

            #expect(try await User.query(on: hello.app.db).count() == 1)
            #expect(try await UserSession.query(on: hello.app.db).count() == 2)
            let account = try await hello.app.testing()
                .sendRequest(.GET, "/api/account", headers: ["Authorization": "Bearer \(token)"])
            #expect(try account.content.get(String.self, at: "email") == "maya@example.com")
        }
    }

    @Test("loses no name while the database is down") func databaseDown() async throws {
        try await withHello { hello in
            var browser = hello.browser
            let callback = try await browser.visitApple(hello.apple)
            try await hello.app.autoRevert()
            let refused = try await browser.bring(callback)
            #expect(refused.status == .serviceUnavailable)

            try await hello.app.autoMigrate()
            // The button of the refusal's page.
            let fields = refused.body.string.matches(of: /name="([^"]+)" value="([^"]+)"/)
                .map { "\($0.output.1)=\(String($0.output.2).inQuery)" }
            let again = try await browser.post(
                "/auth/apple/callback/again",
                fields.joined(separator: "&")
            )
            #expect(again.status == .seeOther)
            let start = try await browser.get("/")
            #expect(start.body.string.contains("Hello, Maya Lindgren!"))
        }
    }

    @Test("signs nobody in by the answer to another browser") func otherBrowser() async throws {
        try await withHello { hello in
            var attacker = hello.browser
            let callback = try await attacker.visitApple(hello.apple)
            var victim = hello.browser
            _ = try await victim.visitApple(hello.apple)
            #expect(try await victim.bring(callback).status == .badRequest)
            #expect(try await victim.get("/account").status == .seeOther)
        }
    }

    @Test("takes a person who pressed Cancel back") func cancelled() async throws {
        try await withHello { hello in
            var browser = hello.browser
            let callback = try await browser.visitApple(hello.apple, isContinuing: false)
            let answer = try await browser.bring(callback)
            #expect(answer.headers.first(name: .location) == "/log-in")
        }
    }

    @Test("gives each sign-in a session of its own that no script and no other site reads")
    func cookie() async throws {
        try await withHello { hello in
            var browser = hello.browser
            try await browser.signIn(hello.apple)
            let first = try #require(browser.cookies["vapor-session"])
            #expect(first.isHTTPOnly && first.isSecure && first.sameSite == .lax)

            try await browser.signIn(hello.apple)
            #expect(browser.cookies["vapor-session"]?.string != first.string)
            var thief = hello.browser
            thief.cookies["vapor-session"] = first
            #expect(try await thief.get("/account").status == .seeOther)
        }
    }

    @Test("changes nothing for a form of another site") func otherSite() async throws {
        try await withHello { hello in
            var browser = hello.browser
            try await browser.signIn(hello.apple)
            let answer = try await browser.send(.POST, "/account/delete", site: "same-site")
            #expect(answer.status == .forbidden)
            #expect(try await browser.get("/account").status == .ok)
        }
    }

    @Test("ends every session when the person stops using the app") func revoked() async throws {
        try await withHello { hello in
            var browser = hello.browser
            try await browser.signIn(hello.apple)
            try await hello.apple.emulator
                .stopUsing("maya@example.com", clientID: "com.example.juice")
            await hello.deliverNotifications()
            #expect(try await browser.get("/account").status == .seeOther)
        }
    }

    @Test("asks Apple once a day, and signs out who has gone") func validation() async throws {
        try await withHello { hello in
            var browser = hello.browser
            try await browser.signIn(hello.apple)
            try await hello.apple.emulator
                .stopUsing("maya@example.com", clientID: "com.example.juice")
            try await RefreshToken.query(on: hello.app.db)
                .set(\.$checkedAt, to: hello.apple.now.addingTimeInterval(-100_000))
                .update()
            await hello.jobs.validateDue(on: hello.app.db, hello.app.logger)
            #expect(try await browser.get("/account").status == .seeOther)
        }
    }

    @Test("revokes a deleted person's tokens at Apple, also when Apple is down at first")
    func deletion() async throws {
        try await withHello { hello in
            var browser = hello.browser
            try await browser.signIn(hello.apple)
            try await hello.apple.addFault(#"{"endpoint": "revoke", "status": 503, "count": 5}"#)
            try await browser.post("/account/delete")
            #expect(try await User.query(on: hello.app.db).count() == 0)
            #expect(try await RefreshToken.query(on: hello.app.db).count() == 1)

            await hello.apple.emulator.clearFaults()
            await hello.jobs.revokeWaiting(on: hello.app.db, hello.app.logger)
            #expect(try await RefreshToken.query(on: hello.app.db).count() == 0)
            let requests = String(decoding: await hello.apple.requests(), as: UTF8.self)
            #expect(requests.contains("/auth/revoke"))
        }
    }
}
