import AppleEmulatorTesting
import AppleIdentity
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import JuiceApp
@testable import SignInKit

/// The sample app on a device, an accounts server and an Apple, in one process.
@MainActor struct JuiceWorld: Sendable {
    nonisolated static let lending = Lending<JuiceWorld> { body in try await withJuice(body) }

    let app: AppWorld

    var apple: TestApple { app.apple }
    var device: SimulatedDevice { app.device }
    var credentials: MemoryCredentialStore { app.credentials }

    /// The same device with nothing kept, as after the app was installed anew.
    var reinstalled: JuiceWorld {
        JuiceWorld(
            app: AppWorld(
                apple: apple,
                device: device,
                transport: app.transport,
                accounts: app.accounts,
                time: app.time
            )
        )
    }

    /// Starts the app; again with what is kept, as after the process has ended.
    func launch(browser: (any BrowserSession)? = nil) async throws -> JuiceModel {
        let session = SignInSession(client: try app.launch())
        let model = JuiceModel(session: session, browser: browser)
        await model.start()
        return model
    }

    /// Starts the app for a person who dismisses what is offered at once.
    func launchWithoutApple() async throws -> JuiceModel {
        device.script(.cancel)
        return try await launch()
    }

    /// Starts the app and signs in with Apple for the first time.
    func launchSignedIn() async throws -> JuiceModel {
        let model = try await launch()
        device.script(.continue())
        await model.signInWithApple()
        return model
    }

    /// Stops the server, or starts it again.
    func setServer(isDown: Bool) { app.transport.network = isDown ? .dead : .up }

    /// Runs an action that tries a server in vain, and moves the clock whenever it waits in between.
    func movingTime(_ action: () async -> Void) async {
        let mover = Task { [time = app.time] in
            while !Task.isCancelled {
                if time.sleeperCount > 0 { time.advance(bySeconds: 5) }
                await Task.yield()
            }
        }
        await action()
        mover.cancel()
    }

    /// How often the server got Apple's answer.
    var registrationCount: Int { app.transport.deliveredCount("POST", "/api/sessions/apple") }

    /// Waits until the server's revocation has reached Apple, which happens after the answer.
    ///
    /// A person takes longer to press the button again; a code that Apple gave before is refused.
    func untilAppleHasRevoked() async throws {
        try await waitUntil { try await device.apps().isEmpty }
    }
}

/// Runs a test with the sample app on a device on which Maya is signed in.
@MainActor func withJuice(
    isSignedIn: Bool = true,
    _ body: @escaping @MainActor @Sendable (JuiceWorld) async throws -> Void
) async throws {
    try await withApp(isSignedIn: isSignedIn) { @MainActor app in
        try await body(JuiceWorld(app: app))
    }
}
