import AppleIdentity
import Foundation
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@MainActor @Suite("A credential that the app got itself", AppWorld.lending)
struct OwnCredentialTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    /// What the app's own controller hears.
    private final class Listener: NSObject, ASAuthorizationControllerDelegate {
        var result: Result<ASAuthorization, any Error>?

        func authorizationController(
            controller: ASAuthorizationController,
            didCompleteWithAuthorization authorization: ASAuthorization
        ) { result = .success(authorization) }

        func authorizationController(
            controller: ASAuthorizationController,
            didCompleteWithError error: any Error
        ) { result = .failure(error) }
    }

    private func result(
        _ prepare: (ASAuthorizationAppleIDRequest) -> Void
    ) async throws -> Result<ASAuthorization, any Error> {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        prepare(request)
        let controller = ASAuthorizationController(authorizationRequests: [request])
        let listener = Listener()
        controller.delegate = listener
        controller.performRequests()
        try await waitUntil { listener.result != nil }
        return try #require(listener.result)
    }

    @Test("A prepared request signs in with the nonce that the server returned ahead")
    func prepared() async throws {
        let session = try await world.startedSession()
        try await waitUntil { session.requests.next != nil }
        let nonce = session.requests.next
        world.device.script(.continue())
        await session.signIn(with: try await result(session.prepare))
        #expect(session.person?.account.name == "Maya Lindgren")
        let sent = world.transport.requests.last { $0.url.path() == "/api/sessions/apple" }
        let body = try JSONObject(parsing: try #require(sent?.body))
        #expect(body["nonce"]?.stringValue == nonce)
    }

    @Test("The nonce is replaced before the server forgets it")
    func renewed() async throws {
        let session = try await world.startedSession()
        try await waitUntil { session.requests.next != nil }
        let first = session.requests.next
        try await world.untilInTime { await session.requests.next != first }
    }

    @Test("A signed-in app keeps no nonce, and has one of the server again after the sign-out")
    func afterSignOut() async throws {
        let session = try await world.startedSession()
        world.device.script(.continue())
        await session.signInWithApple()
        #expect(session.requests.next == nil)
        let count = world.transport.count("POST", "/api/nonces")
        await session.signOut()
        try await waitUntil { session.requests.next != nil }
        #expect(world.transport.count("POST", "/api/nonces") == count + 1)
    }

    @Test("Without a network the nonce is random, and the answer is kept for the server")
    func offline() async throws {
        world.transport.network = .dead
        let session = try await world.startedSession()
        world.device.script(.continue())
        await session.signIn(with: try await result(session.prepare))
        #expect(session.error?.kind == .registrationPending)
        #expect(try await world.registrations().first?.name?.givenName == "Maya")
        world.transport.network = .up
        await session.refresh()
        #expect(session.person?.account.name == "Maya Lindgren")
    }

    @Test("An answer while an action runs is stored at once, and signs in after the action")
    func busy() async throws {
        let session = try await world.startedSession()
        world.device.script(.continue())
        let answer = try await result(session.prepare)
        let (isRunning, end) = (Signal(), Signal())
        let action = Task {
            await session.perform { _ in
                isRunning.send()
                await end.wait()
            }
        }
        await isRunning.wait()
        let signingIn = Task { await session.signIn(with: answer) }
        try await waitUntil { try await !world.registrations().isEmpty }
        #expect(session.person == nil && session.isBusy)
        end.send()
        await action.value
        await signingIn.value
        #expect(session.person?.account.name == "Maya Lindgren")
    }

    @Test("A bridge's answer during a sign-in is stored at once, and sent after it")
    func bridgeDuringASignIn() async throws {
        let client = try await world.launchStarted()
        let credential = try await credential(nonce: Nonces.hash(of: "a bridge's nonce"))
        let gate = world.transport.holdRegistrations()
        world.device.script(.continue())
        let first = Task { try await client.signInWithApple() }
        await world.transport.arrival.wait()
        let second = Task {
            try await client.signIn(
                identityToken: credential.token,
                authorizationCode: credential.code,
                fullName: PersonName(givenName: "Mimi", familyName: "L."),
                nonce: "a bridge's nonce"
            )
        }
        try await waitUntil {
            try await world.registrations().last?.nonce == "a bridge's nonce"
        }
        world.transport.openRegistrations()
        gate.send()
        _ = try? await first.value
        #expect(try await second.value.isConfirmed)
        #expect(try await world.registrations().isEmpty)
        try await world.untilInTime { try await world.counts().sessions == 1 }
    }

    @Test("A store that refuses a bridge's answer does not keep it from the server")
    func fullStore() async throws {
        let client = try await world.launchStarted()
        let credential = try await credential(nonce: Nonces.hash(of: "a bridge's nonce"))
        world.credentials.isFull = true
        let person = try await client.signIn(
            identityToken: credential.token,
            authorizationCode: credential.code,
            fullName: PersonName(givenName: "Mimi", familyName: "L."),
            nonce: "a bridge's nonce"
        )
        #expect(person.account.name == "Mimi L.")
    }

    @Test("A locked store keeps a bridge's answer in memory until it is unlocked")
    func lockedStore() async throws {
        let client = try world.launch()
        let credential = try await credential(nonce: Nonces.hash(of: "a bridge's nonce"))
        world.credentials.isLocked = true
        let error = try await kind {
            try await client.signIn(
                identityToken: credential.token,
                authorizationCode: credential.code,
                fullName: PersonName(givenName: "Mimi", familyName: "L."),
                nonce: "a bridge's nonce"
            )
        }
        #expect(error == .credentialsLocked)
        world.credentials.isLocked = false
        try await world.untilInTime { await client.person?.account.name == "Mimi L." }
    }

    @Test("After the app was suspended, a request gets no nonce that the server has forgotten")
    func suspended() async throws {
        let session = try await world.startedSession()
        try await waitUntil { session.requests.next != nil }
        let old = try #require(session.requests.next)
        world.time.advance(bySeconds: 11 * 60)
        let request = ASAuthorizationAppleIDProvider().createRequest()
        session.prepare(request)
        #expect(request.nonce != nil && request.nonce != Nonces.hash(of: old))
    }

    @Test("The answer to another request, or to the same again, is refused")
    func foreign() async throws {
        let session = try await world.startedSession()
        world.device.script(.continue())
        await session.signIn(with: try await result { $0.requestedScopes = [.fullName] })
        #expect(session.error?.kind == .invalidResponse)
        world.device.script(.continue())
        let answer = try await result(session.prepare)
        await session.signIn(with: answer)
        #expect(session.error == nil)
        await session.signIn(with: answer)
        #expect(session.error?.kind == .invalidResponse)
    }

    @Test("A cancelled sheet is no error, and a failed one is")
    func failures() async throws {
        let session = try await world.startedSession()
        world.device.script(.cancel)
        await session.signIn(with: try await result(session.prepare))
        #expect(session.error == nil)
        await session.signIn(with: .failure(ASAuthorizationError(.notHandled)))
        #expect(session.error?.kind == .notHandled)
    }

    @Test("A bridge hands over its token, name and nonce")
    func bridge() async throws {
        let client = try world.launch()
        let credential = try await credential(nonce: Nonces.hash(of: "a bridge's nonce"))
        let person = try await client.signIn(
            identityToken: credential.token,
            authorizationCode: credential.code,
            fullName: PersonName(givenName: "Mimi", familyName: "L."),
            nonce: "a bridge's nonce"
        )
        #expect(person.account.name == "Mimi L.")
        #expect(try await world.counts().accounts == 1)
    }

    @Test("A token whose nonce is missing or another is refused", arguments: [nil, "another"])
    func wrongNonce(_ nonce: String?) async throws {
        let client = try world.launch()
        let credential = try await credential(nonce: Nonces.hash(of: "a bridge's nonce"))
        let refusal = try await kind {
            try await client.signIn(
                identityToken: credential.token,
                authorizationCode: credential.code,
                fullName: nil,
                nonce: nonce
            )
        }
        #expect(refusal == .refused(code: "token_nonce_mismatch"))
        #expect(try await world.counts().accounts == 0)
    }

    @Test(
        "What is not a token is refused on the device",
        arguments: [
            "", "a.b", "a.b.c", "a.e30.c", String(repeating: "x", count: 40_000) + ".e30.c",
        ]
    )
    func noToken(_ text: String) async throws {
        let client = try world.launch()
        let refusal = try await kind {
            try await client.signIn(
                identityToken: text,
                authorizationCode: nil,
                fullName: nil,
                nonce: nil
            )
        }
        #expect(refusal == .invalidResponse)
        #expect(world.transport.requests.isEmpty)
    }

    /// What a bridge gets from the system.
    private func credential(nonce: String) async throws -> (token: String, code: String?) {
        world.device.script(.continue())
        let authorization = try await result { $0.nonce = nonce }.get()
        let credential = authorization.credential as? ASAuthorizationAppleIDCredential
        let token = try #require(credential?.identityToken)
        return (
            String(decoding: token, as: UTF8.self),
            credential?.authorizationCode.map { String(decoding: $0, as: UTF8.self) }
        )
    }
}
