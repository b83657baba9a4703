import AppleIdentity
import Foundation
import SignInKit
import SimulatedAuthenticationServices
import Testing

// The code of the third story's page.

func signInAndTell(_ client: SignInClient) async -> String {
    do {
        let person = try await client.signInWithApple()
        return "signed in as \(person.account.name ?? "somebody")"
    } catch {
        return error.isSilent ? "" : error.message
    }
}

/// Name and email address come once, and must not be lost.
@Suite("Story: the name comes once", .serialized) struct NameOnceStoryTests {
    @Test("A server that is down at the first sign-in gets the name later, once")
    func serverDown() async throws {
        try await StoryApp.with { app in
            try await app.signInToDevice()
            let nobody = try #require(URL(string: "http://127.0.0.1:1"))
            let offline = await app.launch(server: nobody)
            app.device.script(.continue(name: PersonName(givenName: "Maja")))
            #expect(await signInAndTell(offline) != "signed in as Maja")
            #expect(await offline.state == .needsAttention(.registrationPending))
            // The process ends here; the next one finds the server.
            let client = await app.launch()
            guard case .signedIn(let person) = await client.state else {
                Issue.record("the registration was not sent: \(await client.state)")
                return
            }
            #expect(person.account.name == "Maja")
            #expect(app.device.shownSheets.count == 1)
            #expect(try await client.sessions().count == 1)
            #expect(await app.launch().state == .signedIn(person))
        }
    }

    @Test("Cancel is silent, and the first time stays the first time") func cancel() async throws {
        try await StoryApp.with { app in
            try await app.signInToDevice()
            let client = await app.launch()
            app.device.script(.cancel)
            #expect(await signInAndTell(client) == "")
            #expect(await client.state == .signedOut())
            app.device.script(.continue(name: PersonName(givenName: "Maja")))
            #expect(await signInAndTell(client) == "signed in as Maja")
            #expect(app.device.shownSheets.map(\.kind) == [.firstTime, .firstTime])
        }
    }

    @Test("After Stop Using the next time is a first time") func stopUsing() async throws {
        try await StoryApp.with { app in
            try await app.signInToDevice()
            let client = await app.launch()
            app.device.script(.continue(name: PersonName(givenName: "Maja")))
            #expect(await signInAndTell(client) == "signed in as Maja")
            try await app.device.stopUsing("com.example.juice")
            _ = await openVault(client)
            app.device.script(.continue(name: PersonName(givenName: "Maya"), email: .hide))
            #expect(await signInAndTell(client).hasPrefix("signed in as"))
            #expect(app.device.shownSheets.map(\.kind) == [.firstTime, .firstTime])
        }
    }

    @Test(
        "The requested scopes decide the form: name, address, both or neither",
        arguments: [[], [Scope.name], [Scope.email], [Scope.name, Scope.email]]
    )
    func scopes(_ scopes: [Scope]) async throws {
        try await StoryApp.with { app in
            try await app.signInToDevice()
            let client = SignInClient(
                configuration: SignInConfiguration(
                    server: app.siwa.serverForPrograms,
                    scopes: Set(scopes)
                ),
                authorization: SystemAuthorization(),
                credentials: app.credentials,
                transport: URLSessionTransport()
            )
            app.device.script(.continue())
            let account = try await client.signInWithApple().account
            let sheet = try #require(app.device.shownSheets.last)
            #expect(sheet.asksName == scopes.contains(.name))
            #expect(sheet.asksEmail == scopes.contains(.email))
            #expect((account.name != nil) == scopes.contains(.name))
            #expect((account.email != nil) == scopes.contains(.email))
        }
    }
}
