import AppleIdentity
import Foundation
import SignInKit
import SimulatedAuthenticationServices
import TestSupport

/// An app on Maya's device, and a running demo.
struct StoryApp: Sendable {
    let siwa: SiwaProcess
    let device: SimulatedDevice
    let credentials = MemoryCredentialStore()

    /// Runs a story with a new device.
    static func with(_ body: (StoryApp) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try await SiwaProcess.with(data: folder) { siwa in
                let device = SimulatedDevice(control: siwa.control, app: "com.example.juice")
                try await SimulatedDevice.$scoped.withValue(device) {
                    try await body(StoryApp(siwa: siwa, device: device))
                }
            }
        }
    }

    var control: ControlPort { ControlPort(siwa) }

    func signInToDevice() async throws {
        try await device.signIn(email: "maya@example.com", password: "apple")
    }

    /// Starts the app again; only the device's data remain.
    func launch(server: URL? = nil) async -> SignInClient {
        let server = server ?? siwa.serverForPrograms
        return await launchedClient(
            server: server,
            credentials: credentials,
            transport: PatientTransport()
        )
    }
}

/// Waits longer than an app, because a busy machine hashes a password slowly.
private struct PatientTransport: ServerTransport {
    func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
        var patient = request
        patient.timeLimit = .seconds(300)
        return try await URLSessionTransport().send(patient)
    }
}
