import AppleIdentity
import Foundation
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor @Suite("A session for the user interface", AppWorld.lending)
struct SignInSessionTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    @Test("Signing in shows the user, and signing out shows none")
    func signsIn() async throws {
        let session = SignInSession(client: try world.launch())
        #expect(!session.hasStarted)
        await session.start()
        #expect(session.hasStarted && session.person == nil && session.error == nil)
        try await waitUntil { session.methods == [.apple, .password] }
        world.device.script(.continue())
        await session.signInWithApple()
        #expect(session.person?.account.name == "Maya Lindgren")
        #expect(!session.isBusy)
        let restored = try await world.startedSession()
        #expect(restored.person?.account == session.person?.account)
        await session.signOut()
        #expect(session.person == nil && session.state == .signedOut(.byUser))
        #expect(restored.methods == [.apple])
        await restored.signOut()
        try await waitUntil { restored.methods == [.apple, .password] }
    }

    @Test("An error stays until the next action, and cancelling is none")
    func errors() async throws {
        let session = try await world.startedSession()
        await session.signIn(username: "maya", password: "a wrong password")
        #expect(session.error?.kind == .refused(code: "credentials_invalid"))
        world.device.script(.cancel)
        await session.signInWithApple()
        #expect(session.error == nil && session.person == nil)
        struct Own: Error {}
        #expect(await session.perform { _ in throw Own() } == nil)
        #expect(session.error?.kind == .failed)
    }

    @Test("A second action does not begin while one runs, and says so")
    func oneAtATime() async throws {
        let session = try await world.startedSession()
        let inner = await session.perform { _ in
            await session.perform { _ in 1 }
        }
        #expect(inner == .some(nil))
        #expect(session.error?.kind == .busy)
    }

    @Test("The log has a line for each answer and state, and nothing of the user")
    func log() async throws {
        let lines = LockedValue<[String]>([])
        let client = try world.launch(log: KitLog { _, line in lines.withLock { $0.append(line) } })
        let session = SignInSession(client: client)
        await session.start()
        world.device.script(.continue())
        await session.signInWithApple()
        let token = try await session.token()
        let id = try #require(session.person?.account.apple?.user.rawValue)
        await session.signIn(username: "maya", password: "a wrong password")
        world.credentials.isFull = true
        await session.perform { try await $0.rename(to: "Mia") }
        let text = lines.withLock { $0.joined(separator: "\n") }
        for line in [
            "state: signedIn", "POST api/sessions: done",
            "POST api/sessions: credentials_invalid: the server answered 401",
            "credentials: writing profile failed",
        ] {
            #expect(text.contains(line), "\(line) in \(text)")
        }
        for secret in [token, id, "maya", "Maya", "Mia", "password\"", "example.com"] {
            #expect(!text.contains(secret), "\(secret)")
        }
    }

    @Test("A revocation reaches the session while the app runs")
    func revocation() async throws {
        let session = try await world.startedSession()
        world.device.script(.continue())
        await session.signInWithApple()
        try await world.device.stopUsing(AppWorld.app)
        try await waitUntil { session.state == .signedOut(.revoked) }
        #expect(session.person == nil)
    }

    @Test("A request gets the token only on the way to a secure server")
    func authorizes() async throws {
        let session = try await world.startedSession()
        world.device.script(.continue())
        await session.signInWithApple()
        let token = try await session.token()
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com/recipes")))
        try await session.authorized(&request)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer \(token)")
        var plain = URLRequest(url: try #require(URL(string: "http://api.example.com/recipes")))
        #expect(try await kind { try await session.authorized(&plain) } == .insecureServer)
        #expect(plain.value(forHTTPHeaderField: "Authorization") == nil)
        await session.signOut()
        #expect(try await kind { try await session.authorized(&request) } == .notSignedIn)
    }

    @Test("A preview shows its user without a server, and signs out")
    func preview() async {
        let session = SignInSession(preview: .preview)
        #expect(session.hasStarted && session.person == .preview)
        await session.start()
        #expect(session.person?.account == SignedInPerson.preview.account)
        await session.perform { try await $0.rename(to: "Noah") }
        #expect(session.error != nil && session.person != nil)
        await session.signOut()
        #expect(session.person == nil)
        #expect(SignInSession(preview: nil).person == nil)
    }

    @Test("The short initializer reports an unusable URL at the first action")
    func unusableServer() async {
        let session = SignInSession(
            server: "http://accounts.example.com",
            transport: world.transport
        )
        await session.signIn(username: "maya", password: "correct horse")
        #expect(session.error?.kind == .insecureServer)
    }
}
