import AppleEmulator
import AppleIdentity
import SimulatedAuthenticationServices

/// The control port's operations for a simulated device, in the process of a test.
struct EmulatorAppleService: SimulatedAppleService {
    let emulator: AppleEmulator

    func perform(
        _ operation: SimulatedAppleOperation,
        of email: String
    ) async throws(SimulatedAppleError) -> JSONObject {
        do {
            return try await answer(to: operation, of: email)
        } catch {
            let error = ControlRefusal(error)
            throw .refused(code: error.kind.rawValue, field: error.field, message: error.message)
        }
    }

    private func answer(
        to operation: SimulatedAppleOperation,
        of email: String
    ) async throws -> JSONObject {
        switch operation {
        case .signIn(let password):
            return try await emulator.signInToDevice(email, ["password": .string(password)])
        case .account(let app):
            return try await emulator.device(of: email, clientID: app.rawValue)
        case .credential(let request): return try await emulator.credentials(for: email, request)
        case .credentialState(let app, let user):
            let state = try await emulator.numberedCredentialState(
                of: email,
                clientID: app.rawValue,
                user: user
            )
            return ["state": .string(state.rawValue)]
        case .stopUsing(let app):
            try await emulator.stopUsing(email, clientID: app)
        case .setForwarding(let app, let isEnabled):
            try await emulator.setForwarding(email, clientID: app, enabled: isEnabled)
        }
        return [:]
    }
}

extension TestApple {
    /// Creates a simulated device that uses this emulator and its clock.
    ///
    /// - Parameter app: the bundle ID of the app that runs on it; by default the seed's first app.
    /// - Returns: a device without an Apple Account; `SimulatedDevice.$scoped.withValue` makes it
    ///   the current device of a test.
    public func device(app: ClientID? = nil) -> SimulatedDevice {
        SimulatedDevice(
            app: app ?? seed.apps.first?.clientID ?? AppleFixture.clientID,
            service: EmulatorAppleService(emulator: emulator),
            time: clock.time.source
        )
    }
}
