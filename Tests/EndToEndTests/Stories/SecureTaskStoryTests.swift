import AppleIdentity
import Foundation
import SignInKit
import SimulatedAuthenticationServices
import Testing

// The code of the second story's page.

func openVault(_ client: SignInClient) async -> String {
    do {
        return try await client.performSecureTask { "the recipe of the juice" }
    } catch let error as SignInKitError {
        return error.code
    } catch {
        return "failed"
    }
}

/// An app that checks the credential before a secure task.
@Suite("Story: the secure task", .serialized) struct SecureTaskStoryTests {
    @Test("The app gets errors without an account and without two-factor authentication")
    func alerts() async throws {
        try await StoryApp.with { app in
            let client = await app.launch()
            await #expect(throws: SignInKitError.self) { try await client.signInWithApple() }
            #expect(app.device.alerts == [.noAppleAccount])
            try await app.signInToDevice()
            app.device.switches.hasTwoFactor = false
            await #expect(throws: SignInKitError.self) { try await client.signInWithApple() }
            #expect(app.device.alerts == [.noAppleAccount, .noTwoFactor])
            #expect(await client.state == .signedOut())
        }
    }

    @Test("It runs only while the consent is valid")
    func secureTask() async throws {
        try await StoryApp.with { app in
            try await app.signInToDevice()
            let client = await app.launch()
            // Without an identifier nothing happens.
            #expect(await openVault(client) == "not_signed_in")
            app.device.script(.continue())
            let user = try await client.signInWithApple().account.apple?.user.rawValue
            #expect(user?.wholeMatch(of: /[0-9]{6}\.[0-9a-f]{32}\.[0-9]{4}/) != nil)
            #expect(await openVault(client) == "the recipe of the juice")
            app.device.script(.continue())
            let secret = try await client.performSecureTask(requiresFreshSignIn: true) {
                "the vault's other key"
            }
            #expect(secret == "the vault's other key")
            try await app.control.stopUsing("maya@example.com")
            #expect(await openVault(client) == "revoked")
            #expect(await client.state == .signedOut(.revoked))
            // The identifier is deleted, so the next launch has no user.
            #expect(await openVault(await app.launch()) == "not_signed_in")
        }
    }

    @Test("A second sign-in has no name and no address, but the app still knows them")
    func secondTime() async throws {
        try await StoryApp.with { app in
            try await app.signInToDevice()
            let client = await app.launch()
            app.device.script(.continue(), .continue())
            let first = try await client.signInWithApple()
            await client.signOut()
            let second = try await client.signInWithApple()
            #expect(second.account.name == first.account.name)
            #expect(second.account.email == "maya@example.com")
        }
    }
}
