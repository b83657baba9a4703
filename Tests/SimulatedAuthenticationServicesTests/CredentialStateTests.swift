import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import SimulatedAuthenticationServices

// Fidelity: device-4, device-5
@MainActor @Suite("The state of a credential", Harness.lending) struct CredentialStateTests {
    private let (device, apple): (SimulatedDevice, TestApple)
    init() throws { (device, apple) = try Harness.lending.value }

    private let provider = ASAuthorizationAppleIDProvider()

    /// The state and the error that the completion is given.
    private func state(
        _ user: String
    ) async -> (ASAuthorizationAppleIDProvider.CredentialState, Bool) {
        await withCheckedContinuation { continuation in
            provider.getCredentialState(forUserID: user) { state, error in
                continuation.resume(returning: (state, error != nil))
            }
        }
    }

    /// Counts the notifications of a device while a body runs.
    private func revocations(
        of device: SimulatedDevice,
        while body: () async throws -> Void
    ) async throws -> Int {
        let count = LockedValue(0)
        let observer = NotificationCenter.default.addObserver(
            forName: ASAuthorizationAppleIDProvider.credentialRevokedNotification,
            object: device,
            queue: nil
        ) { _ in count.withLock { $0 += 1 } }
        try await body()
        NotificationCenter.default.removeObserver(observer)
        return count.withLock { $0 }
    }

    @Test("It is authorized after a sign-in, and revoked after the person stopped")
    func lifecycle() async throws {
        let user = try await Harness.signIn(device).user
        #expect(await state(user) == (.authorized, false))
        try await device.stopUsing(Harness.app)
        #expect(await state(user) == (.revoked, false))
        #expect(try await provider.credentialState(forUserID: user) == .revoked)
        let again = try await Harness.signIn(device)
        #expect(again.user == user && again.email == Harness.maya)
        #expect(await state(user) == (.authorized, false))
    }

    @Test("It is not found with an error; the async form throws")
    func notFound() async throws {
        #expect(await state("000000.unknown.0000") == (.notFound, true))
        await #expect(throws: ASAuthorizationError(.unknown)) {
            try await provider.credentialState(forUserID: "000000.unknown.0000")
        }
    }

    @Test("Another Apple Account is another user, and without an account none is found")
    func anotherAccount() async throws {
        let user = try await Harness.signIn(device).user
        try await device.signIn(email: "noah@example.com", password: "apple")
        #expect(await state(user) == (.notFound, true))
        let noah = try await Harness.signIn(device)
        #expect(noah.user != user)
        #expect(await state(user) == (.notFound, true))
        device.signOut()
        #expect(await state(noah.user) == (.notFound, true))
    }

    @Test("A transferred app: transferred, until a sign-in returns the new identifier")
    func transferred() async throws {
        let user = try await Harness.signIn(device).user
        try await apple.add(Seed(teams: [SeedTeam(teamID: "OTHERTEAM1")]))
        try await apple.transfer(Harness.app, to: "OTHERTEAM1")
        #expect(await state(user) == (.transferred, false))
        let moved = try await Harness.signIn(device).user
        #expect(moved != user)
        #expect(await state(moved) == (.authorized, false))
        #expect(await state(user) == (.notFound, true))
    }

    @Test("A revocation on the device posts the notification once")
    func revokedHere() async throws {
        let user = try await Harness.signIn(device).user
        let count = try await revocations(of: device) {
            try await device.stopUsing(Harness.app)
            await device.refresh()
            _ = await state(user)
        }
        #expect(count == 1)
    }

    @Test("A revocation elsewhere posts it when the device learns of it, by itself or when asked")
    func revokedElsewhere() async throws {
        let user = try await Harness.signIn(device).user
        try await apple.emulator.stopUsing(Harness.maya, clientID: Harness.app)
        #expect(try await revocations(of: device) { await device.refresh() } == 1)
        _ = try await Harness.signIn(device)
        try await apple.emulator.stopUsing(Harness.maya, clientID: Harness.app)
        #expect(try await revocations(of: device) { _ = await state(user) } == 1)
    }

    @Test("A device that watches learns of a revocation after the interval")
    func watching() async throws {
        _ = try await Harness.signIn(device)
        let revoked = Signal()
        let observer = NotificationCenter.default.addObserver(
            forName: ASAuthorizationAppleIDProvider.credentialRevokedNotification,
            object: device,
            queue: nil
        ) { _ in revoked.send() }
        defer { NotificationCenter.default.removeObserver(observer) }
        let watch = Task { await device.watch(every: .seconds(2)) }
        try await waitUntil { apple.time.sleeperCount > 0 }
        try await apple.emulator.stopUsing(Harness.maya, clientID: Harness.app)
        apple.advance(by: .seconds(2))
        await revoked.wait()
        watch.cancel()
        await watch.value
    }

    @Test("A deleted Apple Account posts nothing; only the state changes")
    func deleted() async throws {
        let user = try await Harness.signIn(device).user
        try await apple.emulator.deletePerson(Harness.maya)
        let count = try await revocations(of: device) {
            await device.refresh()
            #expect(await state(user) == (.notFound, true))
        }
        #expect(count == 0)
        let code = await Harness.code([Harness.appleRequest()])
        #expect(code == .unknown && device.alerts == [.noAppleAccount])
    }

    @Test("Simulators of each release return fixed states")
    func simulators() async throws {
        let user = try await Harness.signIn(device).user
        device.switches.credentialStates = .alwaysNotFound
        #expect(await state(user) == (.notFound, true))
        device.switches.credentialStates = .alwaysAuthorized
        #expect(await state("nobody") == (.authorized, false))
        device.switches.credentialStates = .alwaysRevoked
        #expect(await state(user) == (.revoked, false))
    }

    @Test("The states have Apple's numbers, the notification Apple's name") func numbers() {
        let states: [ASAuthorizationAppleIDProvider.CredentialState] = [
            .revoked, .authorized, .notFound, .transferred,
        ]
        #expect(states.map(\.rawValue) == [0, 1, 2, 3])
        #expect(
            ASAuthorizationAppleIDProvider.credentialRevokedNotification.rawValue
                == "ASAuthorizationAppleIDCredentialRevokedNotification"
        )
    }
}
