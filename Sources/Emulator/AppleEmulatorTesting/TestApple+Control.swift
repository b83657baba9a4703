import AppleEmulator
import AppleIdentity
import Foundation

extension TestApple {
    /// Registers a team, key, app, Services ID, user or mail source, as the control port does.
    ///
    /// - Parameters:
    ///   - object: a JSON object such as `{"email": "vera@example.com", "email_verified": false}`.
    ///   - kind: the kind of the object.
    /// - Throws: `ControlRefusal` with the invalid field; ``TestAppleError`` for invalid JSON.
    public func add(_ object: String, as kind: SeedKind) async throws {
        _ = try await emulator.add(kind, Self.object(object))
    }

    /// Returns the emulator's state, as `GET /state` on the control port does.
    ///
    /// - Returns: a JSON object.
    public func state() async -> Data { await emulator.state().data }

    /// Returns the notifications with the receiver's responses, as in `GET /notifications`.
    ///
    /// - Returns: a JSON array.
    public func sentNotifications() async -> Data {
        JSONValue.array(await emulator.notifications().map { .object($0) }).data
    }

    /// Adds a fault, which makes an endpoint fail for a number of requests, as `POST /faults` does.
    ///
    /// - Parameter fault: a JSON object such as `{"endpoint": "token", "status": 503, "count": 1}`.
    /// - Throws: `ControlRefusal` with the invalid field; ``TestAppleError`` for invalid JSON.
    public func addFault(_ fault: String) async throws {
        _ = try await emulator.addFault(Self.object(fault))
    }

    /// Changes the emulator where Apple's behaviour varies, as `PATCH /switches` does.
    ///
    /// - Parameter switches: a JSON object such as `{"token_type": "bearer"}`; `GET /switches` on the control port
    ///   lists all switches.
    /// - Throws: `ControlRefusal` with the invalid switch; ``TestAppleError`` for invalid JSON.
    public func changeSwitches(_ switches: String) async throws {
        _ = try await emulator.changeSwitches(Self.object(switches))
    }

    /// Replaces Apple's signing keys, as `POST /signing-keys/rotate` does.
    ///
    /// - Parameter keepsOld: whether the old public keys stay in Apple's key set.
    /// - Throws: `ControlRefusal` if a key can't be created.
    public func rotateSigningKeys(keepsOld: Bool = false) async throws {
        _ = try await emulator.rotateSigningKeys(["keep_old": .boolean(keepsOld)])
    }

    /// Transfers an app to another team; for 60 days, its users can be migrated.
    ///
    /// - Parameters:
    ///   - app: a primary app.
    ///   - team: the team that receives it.
    /// - Throws: `ControlRefusal` if the app or the team is unknown, or the transfer is refused.
    public func transfer(_ app: ClientID, to team: TeamID) async throws {
        _ = try await emulator.transfer([
            "client_id": .string(app.rawValue), "to_team": .string(team.rawValue),
        ])
    }

    /// Returns the mail of a user, oldest first, as `GET /mail` does.
    ///
    /// - Parameter email: the user's email address.
    /// - Returns: a JSON object with `messages`, `sent` and `bounces`.
    /// - Throws: `ControlRefusal` if there is no such user.
    public func mail(of email: String) async throws -> Data {
        try await emulator.mail(of: email).data
    }

    /// Returns the latest requests to Apple, oldest first, with the reason of each refusal.
    ///
    /// - Returns: a JSON array.
    public func requests() async -> Data {
        JSONValue.array(await emulator.requests().map { .object($0) }).data
    }

    private static func object(_ text: String) throws -> JSONObject {
        guard let object = try? JSONObject(parsing: Data(text.utf8)) else {
            throw TestAppleError("not a JSON object: \(text)")
        }
        return object
    }
}
