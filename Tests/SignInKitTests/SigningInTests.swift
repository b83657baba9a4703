import AppleIdentity
import Foundation
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@Suite("Signing in", AppWorld.lending) struct SigningInTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    @Test("The first sign-in makes an account with the name, and leaves nothing to be sent")
    func first() async throws {
        let client = try world.launch()
        var states = client.states.makeAsyncIterator()
        #expect(await client.state == .starting)
        await client.start()
        #expect(await states.next() == .signedOut())
        world.device.script(.continue(email: .hide))
        let person = try await client.signInWithApple()
        #expect(person.account.name == "Maya Lindgren")
        #expect(person.account.emailIsPrivateRelay)
        #expect(person.account.apple?.clientID == AppWorld.app)
        #expect(person.isConfirmed)
        #expect(await states.next() == .signingIn)
        #expect(await states.next() == .signedIn(person))
        #expect(await client.state == .signedIn(person))
        #expect(try await world.registrations().isEmpty)
        let sessions = try await client.sessions()
        #expect(sessions.map(\.device) == ["Maya's phone"])
        #expect(sessions.map(\.signInMethod) == ["apple"])
    }

    @Test("Apple gets the nonce's hash, the server the nonce that it gave out")
    func nonce() async throws {
        _ = try await world.launchSignedIn()
        #expect(world.transport.count("POST", "/api/nonces") == 1)
        let sent = try #require(
            world.transport.requests.first { $0.url.path() == "/api/sessions/apple" }
        )
        let body = JSONFields(try JSONObject(parsing: try #require(sent.body)))
        let nonce = try body.text("nonce")
        let token = try body.text("identityToken")
        #expect(Nonces.hash(of: nonce).count == 64)
        let claims = try #require(Data(base64URL: token.split(separator: ".")[1]))
        #expect(try JSONFields(JSONObject(parsing: claims)).text("nonce") == Nonces.hash(of: nonce))
    }

    @Test("The second time Apple tells no name, and the server still knows it")
    func second() async throws {
        let client = try await world.launchSignedIn()
        let first = try #require(await client.profile)
        await client.signOut()
        #expect(await client.state == .signedOut(.byUser))
        world.device.script(.continue())
        let again = try await client.signInWithApple()
        #expect(again.account == first)
        #expect(try await world.counts().sessions == 1)
    }

    @Test(
        "Each of the system's errors has a kind of its own",
        arguments: [
            (ASAuthorizationError.Code.unknown, SignInKitError.Kind.unknown),
            (.canceled, .canceled), (.invalidResponse, .invalidResponse),
            (.notHandled, .notHandled), (.failed, .failed), (.notInteractive, .notInteractive),
            (.preferSignInWithApple, .preferSignInWithApple), (.credentialImport, .failed),
        ]
    ) func errors(code: ASAuthorizationError.Code, expected: SignInKitError.Kind) async throws {
        let client = try world.launch()
        world.device.script(.fail(code))
        #expect(try await kind { try await client.signInWithApple() } == expected)
        #expect(await client.state == .signedOut())
        #expect(try await world.registrations().isEmpty)
        #expect(world.transport.count("POST", "/api/sessions/apple") == 0)
    }

    @Test("A person who closes the sheet is where they were") func cancel() async throws {
        let client = try world.launch()
        world.device.script(.cancel)
        #expect(try await kind { try await client.signInWithApple() } == .canceled)
        world.device.script(.continue())
        #expect(try await client.signInWithApple().account.name == "Maya Lindgren")
    }

    @Test(
        "Without an Apple Account, two factors or the entitlement the system gives no reason, and the hint has what is below"
    )
    func noReason() async throws {
        let client = try world.launch()
        let account = await #expect(throws: SignInKitError.self) {
            world.device.switches.hasTwoFactor = false
            _ = try await client.signInWithApple()
        }
        #expect(account?.kind == .unknown && account?.message.contains("Account") == false)
        #expect(account?.hint == "ASAuthorizationError 1000, below it AKAuthenticationError -7034")
        world.device.switches.hasTwoFactor = nil
        let entitlement = await #expect(throws: SignInKitError.self) {
            world.device.switches.lacksEntitlement = true
            _ = try await client.signInWithApple()
        }
        #expect(entitlement?.kind == .unknown && entitlement?.hint.hasSuffix("-7026") == true)
        world.device.switches.lacksEntitlement = false
        world.device.signOut()
        let refusal = try await kind { try await client.signInWithApple() }
        #expect(refusal == .unknown)
    }

    @Test("Without a window the request does not start, and says so") func noWindow() async throws {
        let page = try #require(URL(string: AppWorld.server))
        let failures = [
            await #expect(throws: AuthorizationFailure.self) {
                try await SystemAuthorization(anchor: { nil }).authorize(AuthorizationRequest())
            },
            await #expect(throws: AuthorizationFailure.self) {
                let redirect = try #require(URL(string: AppWorld.ownScheme))
                _ = try await SystemBrowserSession(redirectURI: redirect, anchor: { nil })
                    .open(page, callback: redirect)
            },
        ]
        #expect(failures.map(\.?.kind) == [.noWindow, .noWindow])
        #expect(world.device.shownSheets.isEmpty)
        let error = failures[0].map { SignInKitError($0) }
        #expect(error?.code == "no_window" && error?.isRetryable == true)
    }

    @Test("Two sign-ins at once: the second one is refused, the first one goes on")
    func twice() async throws {
        let client = try world.launch()
        let gate = world.transport.holdRegistrations()
        world.device.script(.continue())
        async let first = client.signInWithApple()
        await world.transport.arrival.wait()
        #expect(try await kind { try await client.signInWithApple() } == .alreadySigningIn)
        gate.send()
        let person = try await first
        #expect(person.account.name == "Maya Lindgren")
    }

    @Test("An account with a password is made, left and entered again")
    func password() async throws {
        let client = try world.launch()
        let made = try await client.createAccount(
            username: "maya",
            password: "seven ripe oranges",
            name: "Maya"
        )
        #expect(made.account.username == "maya" && made.account.name == "Maya")
        await client.signOut()
        #expect(
            try await kind { try await client.signIn(username: "maya", password: "wrong one") }
                == .refused(code: "credentials_invalid")
        )
        #expect(await client.state == .signedOut(.byUser))
        let again = try await client.signIn(username: "maya", password: "seven ripe oranges")
        #expect(again.account.id == made.account.id)
        #expect(try await !world.keeps(.userIdentifier))
    }

    @Test("A locked store is noticed before Apple is asked for what it tells once")
    func locked() async throws {
        let client = try world.launch()
        world.credentials.isLocked = true
        await client.start()
        #expect(try await kind { try await client.signInWithApple() } == .credentialsLocked)
        #expect(world.device.shownSheets.isEmpty)
        world.credentials.isLocked = false
        world.device.script(.continue())
        #expect(try await client.signInWithApple().account.name == "Maya Lindgren")
        world.credentials.isLocked = true
        #expect(try await kind { try await client.requireFreshSignIn() } == .credentialsLocked)
    }

    @Test("An address that is not secure gets nothing") func insecure() async throws {
        let client = try world.launch(server: "http://juice.example.com")
        #expect(
            try await kind { try await client.signIn(username: "maya", password: "secret") }
                == .insecureServer
        )
        #expect(world.transport.requests.isEmpty)
    }
}
