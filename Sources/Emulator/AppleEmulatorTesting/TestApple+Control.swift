import AppleEmulator
import AppleIdentity
import Foundation

extension TestApple {
    /// An endpoint of Apple that a test can make fail.
    public enum Endpoint: String, CaseIterable, Sendable {
        /// `GET /auth/authorize`
        case authorize
        /// `POST /auth/token`
        case token
        /// `POST /auth/revoke`
        case revoke
        /// `POST /auth/usermigrationinfo`
        case userMigrationInformation = "usermigrationinfo"
        /// `GET /auth/keys`
        case keys
        /// `GET /.well-known/openid-configuration`
        case discovery
    }

    /// The latest requests to Apple, oldest first.
    public var requests: [TestRequest] {
        get async { await emulator.requests().map(TestRequest.init) }
    }

    /// Registers more teams, keys, apps, Services IDs, users and mail sources.
    ///
    /// A team added here gets no test key; ``signIn(clientIDs:teamID:)`` knows those of the initial seed.
    ///
    /// - Parameter seed: the registrations to add; its notification settings are not used.
    /// - Throws: `ControlRefusal` with the invalid field; then nothing is added.
    public func add(_ seed: Seed) async throws { try await emulator.add(seed) }

    /// Makes the next requests to an endpoint fail.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
    ///   - status: the status of the response; nil closes the connection without a response.
    ///   - body: the body of the response; empty by default.
    ///   - count: the number of requests that fail.
    ///   - clientID: the only client whose requests fail; nil for all.
    /// - Throws: `ControlRefusal` if the status is not between 200 and 599, or the client can't be known.
    public func fail(
        _ endpoint: Endpoint,
        status: Int? = 503,
        body: String? = nil,
        times count: Int = 1,
        clientID: ClientID? = nil
    ) async throws {
        var fault: JSONObject = [
            "endpoint": .string(endpoint.rawValue), "count": .integer(count),
        ]
        fault["status"] = status.map { .integer($0) }
        fault["drop"] = status == nil ? true : nil
        fault["body"] = body.map { .string($0) }
        fault["client_id"] = clientID.map { .string($0.rawValue) }
        _ = try await emulator.addFault(fault)
    }

    /// Changes the emulator where Apple's behaviour varies, as `PATCH /switches` does.
    ///
    /// - Parameter switches: a JSON object such as `{"token_type": "bearer"}`; `GET /switches` on the control port
    ///   lists all switches.
    /// - Throws: `ControlRefusal` with the invalid switch; ``TestAppleError`` for invalid JSON.
    public func changeSwitches(_ switches: String) async throws {
        guard let object = try? JSONObject(parsing: Data(switches.utf8)) else {
            throw TestAppleError("not a JSON object: \(switches)")
        }
        _ = try await emulator.changeSwitches(object)
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

    /// Deletes the test keys, as in Apple's portal: Apple then refuses each client secret.
    ///
    /// - Throws: `ControlRefusal` if they are deleted already.
    public func revokeKeys() async throws {
        for key in keys.values { try await emulator.removeKey(key.keyID.rawValue) }
    }

    /// Sends a mail as your server does, to a relay address or a user's own.
    ///
    /// - Parameters:
    ///   - subject: the subject, in ASCII.
    ///   - text: the text, in ASCII.
    ///   - sender: the sender, which must be one of the seed's `mailSources` for a relay address.
    ///   - recipient: the email address.
    /// - Throws: ``TestAppleError`` with the SMTP reply if the mail is refused.
    public func sendMail(
        _ subject: String,
        text: String = "",
        from sender: String,
        to recipient: String
    ) async throws {
        let lines = ["From: \(sender)", "To: \(recipient)", "Subject: \(subject)", "", text, ""]
        let content = Data(lines.joined(separator: "\r\n").utf8)
        let reply = await emulator.receiveMail(content, from: sender, to: [recipient])
        guard reply.hasPrefix("2") else { throw TestAppleError("the mail is refused: \(reply)") }
    }

    /// Returns the mail of a user, oldest first.
    ///
    /// - Parameter email: an email address of the user, which can be a relay address.
    /// - Returns: the delivered mail.
    /// - Throws: `ControlRefusal` if it is not an email address.
    public func mail(of email: String) async throws -> [TestMail] {
        let list = try await emulator.mail(of: email)["messages"]?.arrayValue ?? []
        var mails: [TestMail] = []
        for number in list.compactMap({ $0.objectValue?["id"]?.integerValue }) {
            mails.append(TestMail(try await emulator.mail(id: String(number))))
        }
        return mails
    }
}
