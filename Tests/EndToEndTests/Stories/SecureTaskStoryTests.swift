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

/// The demo that looks at the credential before a secure task.
@Suite("Story: the secure task", .serialized) struct SecureTaskStoryTests {
    @Test("A device without an account, and an account without two factors, are told to the app")
    func alerts() async throws {
        try await StoryApp.with { app in
            let client = await app.launch()
            await #expect(throws: SignInKitError.self) { try await client.signInWithApple() }
            #expect(app.device.alerts == [.noAppleAccount])
            try await app.signInToDevice()
            app.device.switches.hasTwoFactor = false
            await #expect(throws: SignInKitError.self) { try await client.signInWithApple() }
            #expect(app.device.alerts == [.noAppleAccount, .noTwoFactor])
            #expect(await client.state == .signedOut)
        }
    }

    @Test("It runs while the consent stands, and not a moment longer")
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
            #expect(await client.state == .needsAttention(.revoked))
            // The identifier is forgotten: the next launch knows nobody.
            #expect(await openVault(await app.launch()) == "not_signed_in")
        }
    }

    @Test("A second sign-in has no name and no address, and the app knows them all the same")
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
