import AppleIdentity
import Foundation
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@Suite("A device that is locked at the launch", AppWorld.lending) struct LockedDeviceTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    @Test("The state is neither signed in nor out, until the device is unlocked")
    @MainActor func starting() async throws {
        _ = try await world.launchSignedIn()
        world.credentials.isLocked = true
        let session = try await world.startedSession()
        #expect(session.state == .starting && !session.hasStarted && session.error == nil)
        #expect(try await kind { try await session.token() } == .credentialsLocked)
        world.credentials.isLocked = false
        try await world.untilInTime { await session.person != nil }
        #expect(session.person?.account.name == "Maya Lindgren")
        _ = try await session.token()
    }

    @Test("A call that reads the records first does not keep the state from being known")
    func callFirst() async throws {
        _ = try await world.launchSignedIn()
        world.credentials.isLocked = true
        let client = try await world.launchStarted()
        world.credentials.isLocked = false
        _ = try await client.token()
        #expect(await client.state == .starting)
        try await world.untilInTime { await client.person?.isConfirmed == true }
    }

    @Test("The system's notification of the unlocking ends the wait")
    func notification() async throws {
        _ = try await world.launchSignedIn()
        world.credentials.isLocked = true
        let client = try await world.launchStarted()
        #expect(await client.state == .starting)
        world.credentials.isLocked = false
        let name = try #require(Notification.Name.storeMayBeReadable.first)
        NotificationCenter.default.post(name: name, object: nil)
        try await waitUntil { await client.person?.isConfirmed == true }
    }

    @Test("Before the first unlock the keychain hides its items, which is no sign-out")
    func hidden() async throws {
        let items = HidingStore(base: world.credentials)
        func launch() throws -> SignInClient {
            try world.launch(credentials: ProbedCredentialStore(base: items, owner: "juice"))
        }
        let first = try launch()
        await first.start()
        world.device.script(.continue())
        _ = try await first.signInWithApple()
        items.isHiding.withLock { $0 = true }
        let client = try launch()
        await client.start()
        #expect(await client.state == .starting)
        items.isHiding.withLock { $0 = false }
        await client.start()
        #expect(await client.person?.account.name == "Maya Lindgren")
    }

    @Test("A sign-out is remembered, says so, and is done after the unlocking")
    @MainActor func signOut() async throws {
        _ = try await world.launchSignedIn()
        world.credentials.isLocked = true
        let session = try await world.startedSession()
        await session.signOut()
        #expect(session.state == .signedOut(.byUser))
        #expect(session.error?.kind == .credentialsLocked)
        #expect(try await world.counts().sessions == 1)
        world.credentials.isLocked = false
        try await world.untilInTime { try await world.counts().sessions == 0 }
        #expect(session.state == .signedOut(.byUser))
        #expect(try await !world.keeps(.profile))
    }

    @Test("A store that fails for good shows the sign-in, and why")
    @MainActor func broken() async throws {
        let client = try world.launch(credentials: BrokenStore())
        let session = SignInSession(client: client)
        await session.start()
        #expect(session.hasStarted && session.state == .signedOut())
        #expect(session.error?.kind == .credentialsUnavailable)
    }
}

/// A keychain before the first unlock after a restart: it finds nothing, and cannot add what exists.
private struct HidingStore: CredentialStore {
    let base: MemoryCredentialStore
    let isHiding = LockedValue(false)

    func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data? {
        isHiding.withLock(\.self) ? nil : try await base.read(record)
    }

    func write(_ data: Data, to record: CredentialRecord) async throws(CredentialStoreError) {
        guard !isHiding.withLock(\.self) else { throw .locked }
        try await base.write(data, to: record)
    }

    func remove(_ record: CredentialRecord) async throws(CredentialStoreError) {
        guard !isHiding.withLock(\.self) else { throw .locked }
        try await base.remove(record)
    }
}

/// The keychain of an app that is not signed.
private struct BrokenStore: CredentialStore {
    func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data? {
        throw .failed("-34018")
    }

    func write(_ data: Data, to record: CredentialRecord) async throws(CredentialStoreError) {
        throw .failed("-34018")
    }

    func remove(_ record: CredentialRecord) async throws(CredentialStoreError) {
        throw .failed("-34018")
    }
}
