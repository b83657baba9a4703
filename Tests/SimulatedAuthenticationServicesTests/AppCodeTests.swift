import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SimulatedAuthenticationServices
import Testing

@MainActor @Suite("An app's code runs unchanged") struct AppCodeTests {
    @Test("In the style of delegates: button, name, second time, stored password, silence")
    func delegates() async throws {
        try await withDevice { device, _ in
            let changed = Signal()
            let screen = SignInScreen(window: ASPresentationAnchor()) { changed.send() }
            screen.appear()
            await changed.wait()
            #expect(screen.title == "Welcome" && screen.user == nil)
            device.script(.continue(name: PersonName(givenName: "Mia")), .continue(), .usePassword)
            screen.pressButton()
            await changed.wait()
            #expect(screen.title == "Hello, Mia")
            screen.appear()
            await changed.wait()
            #expect(screen.title == "Hello again" && screen.user != nil)
            device.store(password: "secret", for: "maya")
            screen.appear()
            await changed.wait()
            #expect(screen.offeredUserName == "maya")
            device.signOut()
            screen.pressButton()
            await changed.wait()
            #expect(screen.title == "Sign in to your device with your Apple Account first")
        }
    }

    @Test("In the style of async functions: a person, an error, the state")
    func asyncFunctions() async throws {
        try await withDevice { device, _ in
            device.script(.continue(), .cancel)
            let flow = SignInFlow()
            let user = try await flow.signIn(nonce: "n")
            #expect(user.name == "Maya" && user.email == Harness.maya)
            #expect(await SignInFlow.mayGoOn(user.identifier))
            await #expect(throws: ASAuthorizationError(.canceled)) {
                try await flow.signIn(nonce: "n")
            }
            try await device.stopUsing(Harness.app)
            #expect(await !SignInFlow.mayGoOn(user.identifier))
        }
    }
}
