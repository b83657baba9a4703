import AppleIdentity
import Foundation
import SignInKit
import SimulatedAuthenticationServices
import Testing

// The code of the first story's page.

func launchedClient(
    server: URL,
    credentials: any CredentialStore,
    transport: any ServerTransport = URLSessionTransport()
) async -> SignInClient {
    let client = SignInClient(
        configuration: SignInConfiguration(server: server),
        authorization: SystemAuthorization(),
        credentials: credentials,
        transport: transport
    )
    await client.start()
    return client
}

func resultScreen(for person: SignedInPerson) -> [String] {
    [
        person.account.apple?.user.rawValue ?? "",
        person.account.name ?? "",
        person.account.email ?? "",
        person.account.emailIsPrivateRelay ? "hidden by Apple, forwarded to you" : "",
    ]
}

func loginScreen(_ client: SignInClient) async throws -> String {
    switch try await client.findExistingCredential() {
    case .signedIn(let person): "welcome back, \(person.account.name ?? "")"
    case .password(let password): "log in as \(password.user)"
    case nil: "log in or create an account"
    }
}

/// Apple's sample app: launch, login screen, existing credentials, result screen, sign out.
@Suite("Story: Juice", .serialized) struct JuiceStoryTests {
    @Test("From the first launch to the second sign-in") func wholeStory() async throws {
        try await StoryApp.with { app in
            var juice = await app.launch()
            #expect(await juice.state == .signedOut())
            #expect(try await loginScreen(juice) == "log in or create an account")
            try await app.signInToDevice()
            let user = try await firstSignIn(juice, app)
            // The next launch goes straight to the result screen, without a sheet.
            juice = await app.launch()
            guard case .signedIn(let person) = await juice.state else {
                Issue.record("the second launch is not signed in")
                return
            }
            #expect(person.account.apple?.user == user)
            #expect(app.device.shownSheets.count == 1)
            await juice.signOut()
            #expect(await juice.state == .signedOut(.byUser))
            try await secondSignIn(juice, app, user)
        }
    }

    @Test("The device offers a stored password, and it logs in") func password() async throws {
        try await StoryApp.with { app in
            let password = "green apples, pressed"
            _ = try await app.launch()
                .createAccount(username: "maya", password: password, name: "Maya")
            let other = StoryApp(siwa: app.siwa, device: app.device)
            other.device.store(password: password, for: "maya")
            other.device.script(.usePassword)
            let juice = await other.launch()
            #expect(try await loginScreen(juice) == "log in as maya")
            let person = try await juice.signIn(username: "maya", password: password)
            #expect(person.account.name == "Maya")
        }
    }

    @Test("Consent that ended while the app was off leads to the login screen")
    func revoked() async throws {
        try await StoryApp.with { app in
            try await app.signInToDevice()
            _ = try await firstSignIn(await app.launch(), app)
            try await app.control.stopUsing("maya@example.com")
            #expect(await app.launch().state == .signedOut(.revoked))
            #expect(await app.launch().state == .signedOut())
        }
    }

    /// The user edits the name on the sheet, and hides the email address.
    private func firstSignIn(_ juice: SignInClient, _ app: StoryApp) async throws -> UserID? {
        app.device.script(
            .continue(name: PersonName(givenName: "Maja", familyName: "Nilsson"), email: .hide)
        )
        let person = try await juice.signInWithApple()
        let screen = resultScreen(for: person)
        #expect(screen[1] == "Maja Nilsson")
        #expect(screen[2].hasSuffix("@privaterelay.appleid.com"))
        #expect(screen[3] == "hidden by Apple, forwarded to you")
        return person.account.apple?.user
    }

    /// Apple no longer sends the name; the app shows the server's.
    private func secondSignIn(
        _ juice: SignInClient,
        _ app: StoryApp,
        _ user: UserID?
    ) async throws {
        // After a sign-out the app does not ask at once.
        #expect(try await loginScreen(juice) == "log in or create an account")
        app.device.script(.continue())
        let person = try await juice.signInWithApple()
        #expect(app.device.shownSheets.last?.kind == .again)
        #expect(person.account.apple?.user == user)
        #expect(person.account.name == "Maja Nilsson")
        #expect(try await juice.sessions().count == 1)
    }
}
