import AppleEmulator
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import Testing

/// An emulated Apple in which something of every kind happened.
struct LivedIn {
    let box: Box
    private(set) var migrationToken: String?
    private let otherKey: P256.Signing.PrivateKey
    private var transferSubject: String?

    init() async throws {
        let otherKey = P256.Signing.PrivateKey()
        self.otherKey = otherKey
        box = try await Box { seed in
            seed.addOtherTeam(key: otherKey)
            seed.teams[1].isIndividual = true
            seed.keys.append(
                SeedKey(
                    teamID: TeamID(Box.team),
                    keyID: "PAIRMADE01",
                    primaryClientID: ClientID(Box.app)
                )
            )
            seed.people[0].otherEmails = ["maya@work.example.com"]
            seed.people.append(SeedPerson(email: "kim@school.example.com", isManaged: true))
        }
        try await live()
    }

    private mutating func live() async throws {
        _ = try await box.apple.changeSwitches([
            "throttled_refresh": "429", "refreshes_per_day": 5, "boolean_claims": "text",
        ])
        try await signIn()
        try await correspond()
        try await move()
        _ = try await box.apple.rotateSigningKeys(["keep_old": true])
        try await box.changeSettings(["duplicates": 1])
        _ = try await box.apple.addFault([
            "endpoint": "usermigrationinfo", "status": 503, "probability": .number(0.5),
            "skip": 1_000, "headers": ["Cache-Control": .null], "count": 2,
        ])
        try await box.decide(["email": "share"])
        try await box.advance(bySeconds: 90)
    }

    private func signIn() async throws {
        let sheet = await box.signIn(await box.authorize())
        let consent = Box.consent.merging(["given_name": "M\u{e4}ya \u{1F34F}"]) { $1 }
        let form = await box.step(sheet, "continue", consent).hiddenFields
        let tokens = try await box.exchange(form["code"] ?? "")
        _ = try await box.refresh(tokens["refresh_token"])
        _ = try await box.signInOnTheWeb()
        _ = try await box.apple.credentials(
            for: "noah@example.com",
            ["client_id": .string(Box.app), "scopes": ["email"], "email": "hide"]
        )
        _ = try await box.apple.credentials(
            for: "kim@school.example.com",
            ["client_id": .string(Box.app), "scopes": []]
        )
        try await box.apple.stopUsing("kim@school.example.com", clientID: ClientID(Box.app))
    }

    private func correspond() async throws {
        let credentials = try await box.apple.credentials(
            for: "noah@example.com",
            ["client_id": .string(Box.app), "scopes": ["email"], "email": "hide"]
        )
        let people = await box.apple.state()["people"]?.arrayValue?.compactMap(\.objectValue)
        let teams = people?[1]["teams"]?.arrayValue?.first?.objectValue
        let relay = teams?["relay_email"]?.stringValue ?? ""
        #expect(credentials["identity_token"] != nil)
        await box.mail(to: [relay])
        await box.mail(to: [relay], from: "spam@example.net")
        _ = try await box.apple.replyToMail(id: "1", ["text": "Thank you.\nNoah"])
        await box.apple.markMailRead(id: "1")
        await box.mail(to: ["pia@new.example.com"])
        try await box.apple.setForwarding(
            "noah@example.com",
            clientID: ClientID(Box.app),
            enabled: false
        )
        try await box.notify(["malformed": "events_object"])
        #expect(await box.answerDue(500, body: "no") > 0)
    }

    private mutating func move() async throws {
        try await box.transfer()
        let box = box
        let fields = try client(box).merging([
            "grant_type": "client_credentials", "scope": "user.migration",
        ]) { $1 }
        migrationToken = await box.post("/auth/token", fields)["access_token"]
        let state = try StateText(await box.apple.exported())
        transferSubject = state.first("transfer_subjects", "transfer_sub")
    }

    private func client(_ box: Box) throws -> [String: String] {
        let secret = try box.secret(
            header: ["kid": "OTHERKEY01"],
            claims: ["iss": .string(Box.otherTeam), "sub": .string(Box.app)],
            key: otherKey
        )
        return ["client_id": Box.app, "client_secret": secret]
    }

    /// The receiving team requests a user's identifier.
    func askForPerson(_ box: Box, token: String) async throws -> Reply {
        let fields = try client(box).merging(["transfer_sub": transferSubject ?? ""]) { $1 }
        let headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .authorization: "Bearer \(token)",
        ]
        return await box.send(
            .post,
            "/auth/usermigrationinfo",
            body: Box.encode(fields),
            headers: headers
        )
    }
}

/// An exported state, read as JSON text.
struct StateText {
    let object: JSONObject

    init(_ data: Data) throws { object = try #require(JSONValue(parsing: data).objectValue) }

    func entries(_ section: String) -> [JSONObject] {
        (object[section]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    func first(_ section: String, _ name: String) -> String? {
        entries(section).first?[name]?.stringValue
    }

    /// The text with another value at a place.
    func changing(_ section: String, _ index: Int, _ name: String, to value: JSONValue?) -> Data {
        var entries = entries(section)
        entries[index][name] = value
        return changing(section, to: .array(entries.map { .object($0) }))
    }

    func changing(_ section: String, to value: JSONValue?) -> Data {
        var object = object
        object[section] = value
        return object.data
    }
}
