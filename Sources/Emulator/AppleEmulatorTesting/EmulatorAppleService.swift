import AppleEmulator
import AppleIdentity
import SimulatedAuthenticationServices

/// The control port's operations for a simulated device, in the process of a test.
struct EmulatorAppleService: SimulatedAppleService {
    let emulator: AppleEmulator

    func signIn(
        _ email: String,
        _ request: JSONObject
    ) async throws(SimulatedAppleError) -> JSONObject {
        try await ask { try await emulator.signInToDevice(email, request) }
    }

    func account(of email: String, app: ClientID) async throws(SimulatedAppleError) -> JSONObject {
        try await ask { try await emulator.device(of: email, clientID: app.rawValue) }
    }

    func credential(
        for email: String,
        _ request: JSONObject
    ) async throws(SimulatedAppleError) -> JSONObject {
        try await ask { try await emulator.credentials(for: email, request) }
    }

    func credentialState(
        of email: String,
        app: ClientID,
        user: String
    ) async throws(SimulatedAppleError) -> JSONObject {
        try await ask {
            let state = try await emulator.numberedCredentialState(
                of: email,
                clientID: app.rawValue,
                user: user
            )
            return ["state": .string(state.rawValue)]
        }
    }

    func stopUsing(_ app: ClientID, by email: String) async throws(SimulatedAppleError) {
        try await ask { try await emulator.stopUsing(email, clientID: app.rawValue) }
    }

    func setForwarding(
        _ isEnabled: Bool,
        for app: ClientID,
        by email: String
    ) async throws(SimulatedAppleError) {
        try await ask {
            try await emulator.setForwarding(email, clientID: app.rawValue, enabled: isEnabled)
        }
    }

    private func ask<Answer>(
        _ question: () async throws -> Answer
    ) async throws(SimulatedAppleError) -> Answer {
        do {
            return try await question()
        } catch {
            let error = ControlRefusal(error)
            throw .refused(code: error.kind.rawValue, field: error.field, message: error.message)
        }
    }
}

extension TestApple {
    /// Creates a simulated device that uses this emulator and its clock.
    ///
    /// - Parameter app: the bundle ID of the app that runs on it.
    /// - Returns: a device without an Apple Account; `SimulatedDevice.$scoped.withValue` makes it
    ///   the current device of a test.
    public func device(app: ClientID = "com.example.juice") -> SimulatedDevice {
        SimulatedDevice(
            app: app,
            service: EmulatorAppleService(emulator: emulator),
            time: time.source
        )
    }
}
