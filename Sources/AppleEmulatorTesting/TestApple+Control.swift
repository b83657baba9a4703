import AppleEmulator
import AppleIdentity
import Foundation

extension TestApple {
    /// Registers one more, as `POST` to its list does.
    ///
    /// - Parameters:
    ///   - object: a JSON object: `{"email": "vera@example.com", "email_verified": false}`.
    ///   - kind: a person, an app, a Services ID, and so on.
    /// - Throws: `ControlRefusal` naming the field that is wrong; ``TestAppleError`` when it is not an object.
    public func add(_ object: String, as kind: SeedKind) async throws {
        _ = try await emulator.add(kind, Self.object(object))
    }

    /// Everything there is, as `GET /state` shows it.
    ///
    /// - Returns: a JSON object.
    public func state() async -> Data { await emulator.state().data }

    /// The notifications that were sent, with the receiver's answers, as `GET /notifications` shows them.
    ///
    /// - Returns: a JSON array.
    public func sentNotifications() async -> Data {
        JSONValue.array(await emulator.notifications().map { .object($0) }).data
    }

    /// Breaks an endpoint for a number of requests, as `POST /faults` does.
    ///
    /// - Parameter fault: a JSON object: `{"endpoint": "token", "status": 503, "count": 1}`.
    /// - Throws: `ControlRefusal` naming the field that is wrong; ``TestAppleError`` when it is not an object.
    public func addFault(_ fault: String) async throws {
        _ = try await emulator.addFault(Self.object(fault))
    }

    /// Changes what Apple does only sometimes, as `PATCH /switches` does.
    ///
    /// - Parameter switches: a JSON object: `{"token_type": "bearer"}`.
    /// - Throws: `ControlRefusal` naming the switch that is wrong; ``TestAppleError`` when it is not an object.
    public func changeSwitches(_ switches: String) async throws {
        _ = try await emulator.changeSwitches(Self.object(switches))
    }

    /// Signs with new keys from here on.
    ///
    /// - Parameter keepsOld: whether the old keys stay published.
    /// - Throws: `ControlRefusal` when a key can't be made.
    public func rotateSigningKeys(keepsOld: Bool = false) async throws {
        _ = try await emulator.rotateSigningKeys(["keep_old": .boolean(keepsOld)])
    }

    /// Moves an app to another team; for 60 days its people can be moved after it.
    ///
    /// - Parameters:
    ///   - app: a primary app.
    ///   - team: the team that gets it.
    /// - Throws: `ControlRefusal` when either is unknown.
    public func transfer(_ app: ClientID, to team: TeamID) async throws {
        _ = try await emulator.transfer([
            "client_id": .string(app.rawValue), "to_team": .string(team.rawValue),
        ])
    }

    /// The mail in a person's inbox, oldest first, as `GET /mail` shows it.
    ///
    /// - Parameter email: the person's address.
    /// - Returns: a JSON object with `messages`, `sent` and `bounces`.
    /// - Throws: `ControlRefusal` when there is no such person.
    public func mail(of email: String) async throws -> Data {
        try await emulator.mail(of: email).data
    }

    /// The last requests to Apple, oldest first, each refusal with its reason, as `GET /requests` shows them.
    ///
    /// - Returns: a JSON array.
    public func requests() async -> Data {
        JSONValue.array(await emulator.requests().map { .object($0) }).data
    }

    private static func object(_ text: String) throws -> JSONObject {
        guard let object = try? JSONObject(parsing: Data(text.utf8)) else {
            throw TestAppleError("this is no JSON object: \(text)")
        }
        return object
    }
}
