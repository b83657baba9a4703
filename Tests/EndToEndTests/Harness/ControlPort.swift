import AppleIdentity
import Foundation

/// The emulator's control port: a user's actions in settings, and Apple's records.
struct ControlPort: Sendable {
    static let clientID = "com.example.juice"

    private let caller: HTTPCaller

    init(_ siwa: SiwaProcess) { caller = HTTPCaller(base: siwa.control) }

    func addPerson(_ email: String) async throws {
        try await caller.require("POST", "/people", ["email": .string(email)])
    }

    func add(_ path: String, _ object: JSONObject) async throws {
        try await caller.require("POST", path, object)
    }

    /// The credentials that a device returns to the app after Continue.
    func credentials(
        for email: String,
        clientID: String = ControlPort.clientID,
        givenName: String = "Maya",
        nonce: String? = nil,
        hidesEmail: Bool = false
    ) async throws -> JSONObject {
        var request: JSONObject = [
            "client_id": .string(clientID), "scopes": ["name", "email"],
            "email": hidesEmail ? "hide" : "share",
            "name": ["given_name": .string(givenName), "family_name": "Ng"],
        ]
        request["nonce"] = nonce.map { .string($0) }
        return try await caller.require("POST", "/people/\(email)/credentials", request)
    }

    /// A user's inbox, the latest mail first.
    func mail(of email: String) async throws -> [JSONObject] {
        let answer = try await caller.require("GET", "/mail?person=\(email)")
        return (answer["messages"]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    func stopUsing(_ email: String, clientID: String = ControlPort.clientID) async throws {
        let request: JSONObject = ["client_id": .string(clientID)]
        try await caller.require("POST", "/people/\(email)/stop-using", request)
    }

    /// Switches the forwarding of mail from the relay address.
    func setForwarding(_ email: String, _ isEnabled: Bool) async throws {
        let request: JSONObject = [
            "client_id": .string(Self.clientID), "enabled": .boolean(isEnabled),
        ]
        try await caller.require("POST", "/people/\(email)/forwarding", request)
    }

    func deletePerson(_ email: String) async throws {
        try await caller.require("DELETE", "/people/\(email)")
    }

    func sendNotification(_ notification: JSONObject) async throws {
        try await caller.require("POST", "/notifications", notification)
    }

    /// The deliveries of the notifications of one type.
    func notificationStates(of type: String) async throws -> [String] {
        try await notifications(of: type).compactMap { $0["state"]?.stringValue }
    }

    /// The statuses of the responses to the notifications of one type.
    func notificationAnswers(of type: String) async throws -> [Int] {
        try await notifications(of: type)
            .flatMap { $0["attempts"]?.arrayValue ?? [] }
            .compactMap { $0.objectValue?["status"]?.integerValue }
    }

    private func notifications(of type: String) async throws -> [JSONObject] {
        let answer = try await caller.require("GET", "/notifications")
        return (answer["notifications"]?.arrayValue ?? [])
            .compactMap(\.objectValue)
            .filter { $0["type"]?.stringValue == type }
    }

    /// The user's credential state for the app.
    func credentialState(of email: String) async throws -> String? {
        let path = "/people/\(email)/credential-state?client_id=\(Self.clientID)"
        return try await caller.require("GET", path)["state"]?.stringValue
    }

    /// The requests to a path of Apple's port, with the status of each response.
    func statuses(ofRequestsTo path: String) async throws -> [Int] {
        let requests = try await caller.require("GET", "/requests")["requests"]?.arrayValue ?? []
        return requests.compactMap(\.objectValue)
            .filter { $0["path"]?.stringValue == path }
            .compactMap { $0["status"]?.integerValue }
    }
}
