import AppleIdentity
import Foundation
import HTTPTypes

/// An Apple in a box: answers what Apple's service answers, keeps Apple's rules, opens no sockets.
public actor AppleEmulator {
    /// The longest request body that is read, in bytes.
    public static let bodyByteCountMax = 64 * 1024

    /// How this Apple behaves.
    public nonisolated let configuration: EmulatorConfiguration

    private let seed: Seed
    private let time: TimeSource

    public init(
        seed: Seed = Seed(),
        configuration: EmulatorConfiguration = EmulatorConfiguration(),
        time: TimeSource = .live
    ) async throws {
        self.seed = seed
        self.configuration = configuration
        self.time = time
    }

    public func respond(to request: HTTPRequest, body: Data) async -> EmulatorAnswer {
        EmulatorAnswer(response: HTTPResponse(status: .notFound))
    }

    public func state() -> JSONObject { [:] }
    public func reset() async throws {}
    public func add(_ kind: SeedKind, _ object: JSONObject) async throws(ControlRefusal) -> AddOutcome {
        AddOutcome(object: object, isNew: true)
    }
    public func credentials(for email: String, _ object: JSONObject) async throws(ControlRefusal) -> JSONObject { [:] }
    public func credentialState(of email: String, clientID: String) throws(ControlRefusal) -> String { "" }
    public func decideNext(_ object: JSONObject) throws(ControlRefusal) -> JSONObject { [:] }
    public func stopUsing(_ email: String, clientID: String) throws(ControlRefusal) {}
    public func setForwarding(_ email: String, clientID: String, enabled: Bool) throws(ControlRefusal) {}
    public func deletePerson(_ email: String) throws(ControlRefusal) {}
    public func rotateSigningKeys(_ object: JSONObject) async throws(ControlRefusal) -> JSONObject { [:] }
    public func moveClock(_ object: JSONObject) throws(ControlRefusal) -> JSONObject { [:] }
    public func addFault(_ object: JSONObject) throws(ControlRefusal) -> JSONObject { [:] }
    public func clearFaults() {}
    public func requests() -> [JSONObject] { [] }
}
