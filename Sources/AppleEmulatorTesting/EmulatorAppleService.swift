import AppleEmulator
import AppleIdentity
import SimulatedAuthenticationServices

/// Apple for a simulated device, in the process of a test: the operations of the control port.
struct EmulatorAppleService: SimulatedAppleService {
    let emulator: AppleEmulator

    func signIn(
        _ email: String,
        _ request: JSONObject
    ) async throws(SimulatedAppleError) -> JSONObject {
        try await ask { () async throws(ControlRefusal) in
            try await emulator.signInToDevice(email, request)
        }
    }

    func account(of email: String, app: ClientID) async throws(SimulatedAppleError) -> JSONObject {
        try await ask { () async throws(ControlRefusal) in
            try await emulator.device(of: email, clientID: app.rawValue)
        }
    }

    func credential(
        for email: String,
        _ request: JSONObject
    ) async throws(SimulatedAppleError) -> JSONObject {
        try await ask { () async throws(ControlRefusal) in
            try await emulator.credentials(for: email, request)
        }
    }

    func credentialState(
        of email: String,
        app: ClientID,
        user: String
    ) async throws(SimulatedAppleError) -> JSONObject {
        try await ask { () async throws(ControlRefusal) in
            let state = try await emulator.numberedCredentialState(
                of: email,
                clientID: app.rawValue,
                user: user
            )
            return ["state": .string(state.rawValue)]
        }
    }

    func stopUsing(_ app: ClientID, by email: String) async throws(SimulatedAppleError) {
        try await ask { () async throws(ControlRefusal) in
            try await emulator.stopUsing(email, clientID: app.rawValue)
        }
    }

    func setForwarding(
        _ isEnabled: Bool,
        for app: ClientID,
        by email: String
    ) async throws(SimulatedAppleError) {
        try await ask { () async throws(ControlRefusal) in
            try await emulator.setForwarding(email, clientID: app.rawValue, enabled: isEnabled)
        }
    }

    private func ask<Answer>(
        _ question: () async throws(ControlRefusal) -> Answer
    ) async throws(SimulatedAppleError) -> Answer {
        do throws(ControlRefusal) {
            return try await question()
        } catch {
            throw .refused(code: error.kind.rawValue, field: error.field, message: error.message)
        }
    }
}

extension TestApple {
    /// Makes a device of this Apple, on its clock, on which nobody is signed in.
    ///
    /// - Parameter app: the app that runs on it.
    /// - Returns: the device; `SimulatedDevice.$scoped.withValue` makes it a test's own.
    public func device(app: ClientID = "com.example.juice") -> SimulatedDevice {
        SimulatedDevice(
            app: app,
            service: EmulatorAppleService(emulator: emulator),
            time: time.source
        )
    }
}
