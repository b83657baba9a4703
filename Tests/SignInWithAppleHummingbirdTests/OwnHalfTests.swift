import AppleEmulatorTesting
import Foundation
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import SignInWithAppleHummingbird
import Testing

/// Your own half of a sign-in, here in memory.
actor Users {
    struct User {
        var name: String?
        var email: String?
    }

    private(set) var users: [UserID: User] = [:]

    func open(_ signIn: VerifiedSignIn) -> WebSession {
        var user = users[signIn.userID] ?? User()
        // Apple sends the name at the first sign-in only.
        if let name = signIn.name { user.name = name.displayName }
        user.email = signIn.identity.email
        users[signIn.userID] = user
        return WebSession()
    }
}

@Suite struct UsersTests {
    @Test func keepsTheNameOfTheFirstSignIn() async throws {
        let users = Users()
        let name = PersonName(givenName: "Maya", familyName: "Lindgren")
        _ = await users.open(try .fixture(name: name))
        _ = await users.open(try .fixture(identity: .fixture(email: "maya@new.example")))
        let maya = await users.users[AppleFixture.userID]
        #expect(maya?.name == "Maya Lindgren" && maya?.email == "maya@new.example")
    }

    @Test func signsInOnTheWeb() async throws {
        let (users, url) = (Users(), "https://juice.example.com")
        let seed = Seed(
            teams: [SeedTeam(teamID: "JUICETEAM1")],
            apps: [SeedApp(clientID: "com.example.juice", teamID: "JUICETEAM1")],
            services: [
                SeedService(
                    clientID: "com.example.juice.web",
                    primaryClientID: "com.example.juice",
                    returnURLs: [url + "/auth/apple/callback"]
                )
            ],
            people: [SeedPerson(email: "maya@example.com", givenName: "Maya")],
            mailSources: [SeedMailSource(teamID: "JUICETEAM1", place: .domain("juice.example.com"))]
        )
        try await withAppleEmulator(seed: seed) { apple in
            let router = Router()
            let web = WebFlow(redirectURI: url + "/auth/apple/callback")
            try router.signInWithApple(apple.signIn(), web: web) { signIn, _ in
                .session(await users.open(signIn))
            }
            router.get("welcome") { _, _ in "Welcome" }
            try await Application(router: router).test(.router) { client in
                var browser = try TestBrowser(apple, at: url) { request, body in
                    let response = try await client.execute(
                        uri: request.path ?? "/",
                        method: request.method,
                        headers: request.headerFields,
                        body: ByteBuffer(bytes: body)
                    )
                    return (response.head, Data(response.body.readableBytesView))
                }
                let page = try await browser.signIn(
                    from: "/auth/apple?return_to=/welcome",
                    hidesEmail: true
                )
                #expect(page.url.path() == "/welcome" && page.text == "Welcome")
                let email = try #require(await users.users.values.first?.email)
                #expect(email.hasSuffix("@privaterelay.appleid.com"))
                try await apple.sendMail("Welcome", from: "hi@juice.example.com", to: email)
                #expect(try await apple.mail(of: "maya@example.com").first?.subject == "Welcome")

                try await apple.revokeKeys()
                let refused = try await browser.signIn()
                #expect(refused.status == 502)
                #expect(await apple.requests.last?.refusal?.error == "invalid_client")
            }
        }
    }
}
