import AppleEmulator
import AppleEmulatorServer
import AppleIdentity
import Foundation
import LimitedTransport
import ServerTestSupport
import Testing

@testable import SimulatedAuthenticationServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor @Suite("The device at the control port's HTTP", .timeLimit(.minutes(5)))
struct ControlPortTests {
    @Test("A whole life: sign in, credential, Settings, stop using, state")
    func life() async throws {
        try await withControlPort { control in
            let device = SimulatedDevice(control: control, app: Harness.app)
            try await SimulatedDevice.$scoped.withValue(device) {
                await #expect(throws: SimulatedDeviceError.wrongPassword) {
                    try await device.signIn(email: Harness.maya, password: "pear")
                }
                await #expect(throws: SimulatedDeviceError.unknownAccount) {
                    try await device.signIn(email: "no/body?@example.com", password: "apple")
                }
                try await device.signIn(email: Harness.maya, password: "apple")
                let credential = try await Harness.signIn(device, .continue(email: .hide))
                #expect(credential.fullName?.givenName == "Maya")
                let provider = ASAuthorizationAppleIDProvider()
                let state = try await provider.credentialState(forUserID: credential.user)
                #expect(state == .authorized)
                try await device.setForwarding(false, for: Harness.app)
                let email = try await device.usedApps().first?.email
                #expect(email == .hidden(relay: credential.email, isForwarded: false))
                try await device.stopUsing(Harness.app)
                let ended = try await provider.credentialState(forUserID: credential.user)
                #expect(ended == .revoked)
            }
        }
    }

    @Test("An unreachable control port: known states remain, everything else fails")
    func unreachable() async throws {
        let device = try await withControlPort { control in
            let device = SimulatedDevice(control: control, app: Harness.app)
            try await device.signIn(email: Harness.maya, password: "apple")
            return device
        }
        device.remember("000000.known.0000")
        try await SimulatedDevice.$scoped.withValue(device) {
            let provider = ASAuthorizationAppleIDProvider()
            let state = try await provider.credentialState(forUserID: "000000.known.0000")
            #expect(state == .authorized)
            await #expect(throws: ASAuthorizationError(.unknown)) {
                try await provider.credentialState(forUserID: "000000.other.0000")
            }
            let error = await Harness.run([Harness.appleRequest()]).error
            #expect(error?.code == .failed)
            #expect(error?.localizedDescription.contains("control port") == true)
            await #expect(throws: SimulatedDeviceError.self) { try await device.apps() }
        }
    }

    @Test("A response that is too long, or not a JSON object, is refused")
    func unreadable() async throws {
        try await withControlPort { control in
            let request = URLRequest(url: control.appending(path: "state"))
            await #expect(throws: LimitedTransportFailure.tooLarge) {
                try await LimitedSession(maximumByteCount: 100).send(request)
            }
            let page = ControlPortService(address: control.absoluteString + "/console?")
            await #expect(throws: SimulatedAppleError.self) {
                try await page.perform(.account(app: Harness.app), of: Harness.maya)
            }
            let nowhere = ControlPortService(address: "http://[")
            await #expect(throws: SimulatedAppleError.self) {
                try await nowhere.perform(.account(app: Harness.app), of: Harness.maya)
            }
        }
    }

    private func withControlPort<Value: Sendable>(
        _ body: @MainActor (URL) async throws -> Value
    ) async throws -> Value {
        try await withEmulatorService(AppleEmulator(seed: .demo())) { addresses in
            try await body(addresses.control)
        }
    }
}
