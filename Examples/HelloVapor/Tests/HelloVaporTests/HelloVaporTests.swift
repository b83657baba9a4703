import AppleEmulatorTesting
import Fluent
import FluentSQLiteDriver
import SignInWithAppleVapor
import Testing
import VaporTesting

@testable import HelloVapor

@Suite("The example's server") struct HelloVaporTests {
    @Test("knows one person in the app and in the browser") func onePerson() async throws {
        try await withHello { hello in
            let signedIn = try await hello.signInApp()
            #expect(signedIn.status == .created)
            let token = try signedIn.content.get(String.self, at: "token")
            _ = try await hello.signedIn()

            #expect(try await User.query(on: hello.app.db).count() == 1)
            #expect(try await UserSession.query(on: hello.app.db).count() == 2)
            let account = try await hello.app.testing()
                .sendRequest(.GET, "/api/account", headers: ["Authorization": "Bearer \(token)"])
            #expect(try account.content.get(String.self, at: "email") == "maya@example.com")
        }
    }

    @Test("loses no name while the database is down") func databaseDown() async throws {
        try await withHello { hello in
            var browser = try hello.browser()
            let callback = try await browser.authorize()
            try await hello.app.autoRevert()
            let refused = try await browser.deliver(callback)
            #expect(refused.status == 503)

            try await hello.app.autoMigrate()
            let start = try await browser.submit(refused)
            #expect(start.text.contains("Hello, Maya Lindgren!"))
        }
    }

    @Test("creates a new session at each sign-in, which scripts and other sites can't read")
    func cookie() async throws {
        try await withHello { hello in
            var browser = try await hello.signedIn()
            let first = try #require(browser.cookies["__Host-siwa-session"])
            #expect(first.isHTTPOnly && first.isSecure && first.sameSite == "lax")

            var thief = browser
            try await browser.signIn()
            #expect(browser.cookies["__Host-siwa-session"]?.value != first.value)
            #expect(try await thief.get("/account").url.path() == "/")
        }
    }

    @Test("changes nothing for a form of another site") func otherSite() async throws {
        try await withHello { hello in
            var browser = try await hello.signedIn()
            let session = try #require(browser.cookies["__Host-siwa-session"])
            let answer = try await hello.app.testing()
                .sendRequest(
                    .POST,
                    "/account/delete",
                    headers: [
                        "Cookie": "__Host-siwa-session=\(session.value)",
                        "Sec-Fetch-Site": "same-site",
                    ]
                )
            #expect(answer.status == .forbidden)
            #expect(try await browser.get("/account").url.path() == "/account")
        }
    }

    @Test("ends every session when the person stops using the app") func revoked() async throws {
        try await withHello { hello in
            var browser = try await hello.signedIn()
            try await hello.stopUsing()
            await hello.deliverNotifications()
            #expect(try await browser.get("/account").url.path() == "/")
        }
    }

    @Test("asks Apple once a day, and signs out people who have left") func validation()
        async throws
    {
        try await withHello { hello in
            var browser = try await hello.signedIn()
            try await hello.stopUsing()
            try await hello.validate()
            #expect(try await browser.get("/account").url.path() == "/")
        }
    }

    @Test("revokes a deleted person's tokens at Apple, also when Apple is down at first")
    func deletion() async throws {
        try await withHello { hello in
            var browser = try await hello.signedIn()
            try await hello.apple.fail(.revoke)
            try await browser.post("/account/delete")
            #expect(try await User.query(on: hello.app.db).count() == 0)
            #expect(try await browser.get("/account").url.path() == "/")
            for _ in 0..<2 {
                await hello.tokens.processDue()
                hello.apple.advance(by: .seconds(300))
            }
            #expect(await hello.revocationCount() == 2)
        }
    }

    @Test("has a store of Apple's tokens that passes the check") func store() async throws {
        var apps: [Application] = []
        do {
            try await checkAppleTokenStore {
                let app = try await Application.make(.testing)
                apps.append(app)
                let file = FileManager.default.temporaryDirectory.appending(
                    path: "\(UUID()).sqlite"
                )
                app.databases.use(.sqlite(.file(file.path)), as: .sqlite)
                app.migrations.add(CreateAppleTokens())
                try await app.autoMigrate()
                return SQLAppleTokenStore(database: app.db)
            }
        } catch {
            Issue.record(error)
        }
        for app in apps { try await app.asyncShutdown() }
    }

    @Test("sends mail again after a new consent") func forwardingAfterANewConsent() async throws {
        try await withHello { hello in
            _ = try await hello.signInApp(hidesEmail: true)
            try await hello.apple.emulator
                .setForwarding(Hello.maya, clientID: Hello.appID, enabled: false)
            await hello.deliverNotifications()
            hello.apple.advance(by: .seconds(60))
            _ = try await hello.signInApp(hidesEmail: true)
            #expect(try await User.query(on: hello.app.db).first()?.isMailStopped == true)

            try await hello.stopUsing()
            await hello.deliverNotifications()
            hello.apple.advance(by: .seconds(60))
            _ = try await hello.signInApp(hidesEmail: true)
            #expect(try await User.query(on: hello.app.db).first()?.isMailStopped == false)
        }
    }

    @Test("answers errors with a page or JSON that is not cached") func errors() async throws {
        try await withHello { hello in
            var browser = try hello.browser()
            let signedOut = try await browser.post("/account/name", ["name": "Maya"])
            #expect(signedOut.url.path() == "/")
            try await browser.signIn()
            let unnamed = try await browser.post("/account/name", ["name": ""])
            #expect(unnamed.status == 422)
            #expect(unnamed.text.contains("<p>A name has 1 to 200 characters.</p>"))
            var other = try hello.browser()
            let api = try await other.get("/api/account")
            #expect(api.status == 401)
            for answer in [unnamed, api] {
                #expect(answer.headers[.cacheControl] == "no-store")
                #expect(answer.headers[.contentSecurityPolicy] != nil)
            }
        }
    }
}
