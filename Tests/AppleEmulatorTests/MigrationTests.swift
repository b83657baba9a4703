import AppleEmulator
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import Testing

@Suite("Moving an app to another team")
struct MigrationTests {
    private static let other = "OTHERTEAM1"
    private static let path = "/auth/usermigrationinfo"
    private let otherKey = P256.Signing.PrivateKey()

    private func box() async throws -> Box {
        try await Box { seed in
            seed.teams.append(SeedTeam(teamID: TeamID(Self.other)))
            seed.keys.append(
                SeedKey(
                    teamID: TeamID(Self.other),
                    keyID: "OTHERKEY01",
                    publicKeyPEM: otherKey.publicKey.pemRepresentation
                )
            )
        }
    }

    private func transfer(_ box: Box) async throws {
        _ = try await box.apple.transfer([
            "client_id": .string(Box.app), "to_team": .string(Self.other),
        ])
    }

    private func client(_ box: Box, isOther: Bool = false) throws -> [String: String] {
        let secret =
            isOther
            ? try box.secret(
                header: ["kid": "OTHERKEY01"],
                claims: ["iss": .string(Self.other), "sub": .string(Box.app)],
                key: otherKey
            )
            : try box.secret(claims: ["sub": .string(Box.app)])
        return ["client_id": Box.app, "client_secret": secret]
    }

    private func grant(
        _ box: Box,
        isOther: Bool = false,
        _ changes: [String: String?] = [:]
    ) async throws -> Reply {
        var fields = try client(box, isOther: isOther)
        fields["grant_type"] = "client_credentials"
        fields["scope"] = "user.migration"
        for (name, value) in changes { fields[name] = value }
        return await box.post("/auth/token", fields)
    }

    private func ask(
        _ box: Box,
        isOther: Bool = false,
        token: String?,
        _ question: [String: String]
    ) async throws -> Reply {
        let fields = try client(box, isOther: isOther).merging(question) { $1 }
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        return await box.send(.post, Self.path, body: Box.encode(fields), headers: headers)
    }

    private func reason(_ box: Box) async -> String {
        await box.apple.requests().last?["reason"]?.stringValue ?? ""
    }

    @Test("The grant has an access token and nothing else")
    func form() async throws {
        let reply = try await grant(box())
        #expect(reply.status == 200)
        let form = /\{"access_token":"a[^"]+","token_type":"Bearer","expires_in":3600\}/
        #expect(reply.text.wholeMatch(of: form) != nil)
    }

    @Test("The grant has one scope", arguments: [nil, "email", "user.migration email"])
    func scope(_ scope: String?) async throws {
        let reply = try await grant(box(), ["scope": scope])
        #expect(reply.status == 400)
        #expect(reply.text == #"{"error":"invalid_scope"}"#)
    }

    @Test("The grant asks for a right secret")
    func secret() async throws {
        let box = try await box()
        #expect(try await grant(box, ["client_secret": "x"])["error"] == "invalid_client")
        #expect(try await grant(box, ["client_secret": nil])["error"] == "invalid_request")
        #expect(try await grant(box, isOther: true)["error"] == "invalid_client")
    }

    @Test("A transfer identifier is the same each time, and another for each team")
    func identifier() async throws {
        let box = try await box()
        let user = try #require(try await box.credentials()["user"]?.stringValue)
        let token = try await grant(box)["access_token"]
        func identifier(for target: String) async throws -> String {
            let reply = try await ask(box, token: token, ["sub": user, "target": target])
            return try #require(reply["transfer_sub"])
        }
        let first = try await identifier(for: Self.other)
        #expect(first.wholeMatch(of: /\d{6}\.r[0-9a-f]{32}/) != nil)
        #expect(first.prefix(7) == user.prefix(7))
        #expect(try await identifier(for: Self.other) == first)
        #expect(try await identifier(for: "NOSUCHTEAM") != first)
        #expect(first != user)
    }

    @Test("A person's own access token does in place of the team's")
    func ownToken() async throws {
        let box = try await box()
        let credential = try await box.credentials()
        var fields = try client(box)
        fields["grant_type"] = "authorization_code"
        fields["code"] = credential["authorization_code"]?.stringValue
        let token = await box.post("/auth/token", fields)["access_token"]
        let question = ["sub": credential["user"]?.stringValue ?? "", "target": Self.other]
        #expect(try await ask(box, token: token, question).status == 200)
    }

    @Test("What is missing, unknown or over is refused")
    func refusals() async throws {
        let box = try await box()
        let user = try #require(try await box.credentials()["user"]?.stringValue)
        let token = try await grant(box)["access_token"]
        let question = ["sub": user, "target": Self.other]
        for (wrong, error) in [
            (["sub": user], "invalid_request"), ([:], "invalid_request"),
            (["sub": "000000.none.0000", "target": Self.other], "invalid_request"),
            (["sub": user, "transfer_sub": user, "target": Self.other], "invalid_request"),
            (question.merging(["client_secret": "x"]) { $1 }, "invalid_client"),
        ] {
            let reply = try await ask(box, token: token, wrong)
            #expect(reply.status == 400)
            #expect(reply["error"] == error, "\(wrong)")
        }
        #expect(try await ask(box, token: nil, question)["error"] == "invalid_request")
        #expect(try await ask(box, token: "a", question)["error"] == "invalid_grant")
        #expect(await box.send(.get, Self.path).status == 405)
        box.time.advance(bySeconds: 3_600)
        #expect(try await ask(box, token: token, question)["error"] == "invalid_grant")
        try await box.apple.stopUsing("maya@example.com", clientID: Box.app)
        let fresh = try await grant(box)["access_token"]
        #expect(try await ask(box, token: fresh, question)["error"] == "invalid_request")
        #expect(await reason(box).contains("stopped using"))
    }

    @Test("The other team gets its own identifier, and a new relay address")
    func arrival() async throws {
        let box = try await box()
        let before = try await box.credentials(["email": "hide"])
        let user = try #require(before["user"]?.stringValue)
        let question = ["sub": user, "target": Self.other]
        let token = try await grant(box)["access_token"]
        let between = try #require(try await ask(box, token: token, question)["transfer_sub"])
        try await transfer(box)
        let otherToken = try await grant(box, isOther: true)["access_token"]
        let arrival = ["transfer_sub": between]
        let reply = try await ask(box, isOther: true, token: otherToken, arrival)
        #expect(reply.text.contains(#"","is_private_email":true}"#))
        #expect(reply["sub"] != user && reply["email"] != before["email"]?.stringValue)
        #expect(try await ask(box, token: token, question)["transfer_sub"] == between)
        let mixed = try await ask(box, isOther: true, token: token, arrival)
        #expect(mixed["error"] == "invalid_grant")
    }

    @Test("Who shared the address moves without one")
    func sharedAddress() async throws {
        let box = try await box()
        let user = try #require(try await box.credentials()["user"]?.stringValue)
        let token = try await grant(box)["access_token"]
        let question = ["sub": user, "target": Self.other]
        let between = try #require(try await ask(box, token: token, question)["transfer_sub"])
        try await transfer(box)
        let otherToken = try await grant(box, isOther: true)["access_token"]
        let reply = try await ask(box, isOther: true, token: otherToken, ["transfer_sub": between])
        #expect(reply.json.names == ["sub"])
    }

    @Test("A wrong target shows only when the other team comes")
    func wrongTarget() async throws {
        let box = try await box()
        let user = try #require(try await box.credentials()["user"]?.stringValue)
        let token = try await grant(box)["access_token"]
        let question = ["sub": user, "target": Box.team]
        let between = try #require(try await ask(box, token: token, question)["transfer_sub"])
        try await transfer(box)
        let otherToken = try await grant(box, isOther: true)["access_token"]
        let arrival = ["transfer_sub": between]
        let reply = try await ask(box, isOther: true, token: otherToken, arrival)
        #expect(reply.text == #"{"error":"invalid_request"}"#)
    }

    @Test("After the 60 days an app goes back and comes again, and people move once more")
    func again() async throws {
        let box = try await box()
        let user = try #require(try await box.credentials()["user"]?.stringValue)
        let question = ["sub": user, "target": Self.other]
        let first = try await ask(box, token: grant(box)["access_token"], question)
        let arrival = ["transfer_sub": try #require(first["transfer_sub"])]
        try await transfer(box)
        box.time.advance(bySeconds: 60 * 86_400 - 1)
        let late = try await grant(box, isOther: true)["access_token"]
        #expect(try await ask(box, isOther: true, token: late, arrival).status == 200)
        box.time.advance(bySeconds: 1)
        let over = try await ask(box, isOther: true, token: late, arrival)
        #expect(over["error"] == "invalid_request")
        #expect(await reason(box).contains("60 days"))
        _ = try await box.apple.transfer([
            "client_id": .string(Box.app), "to_team": .string(Box.team),
        ])
        #expect(try await box.credentials()["user"]?.stringValue == user)
        try await transfer(box)
        let token = try await box.credentials()["identity_token"]?.stringValue ?? ""
        #expect(TokenText(token).claims["transfer_sub"] != nil)
    }

    @Test("A secret that expires on the way is an invalid client from then on")
    func expiredSecret() async throws {
        let box = try await box()
        let user = try #require(try await box.credentials()["user"]?.stringValue)
        let token = try await grant(box)["access_token"]
        var question = ["sub": user, "target": Self.other]
        question["client_secret"] = try client(box)["client_secret"]
        #expect(try await ask(box, token: token, question).status == 200)
        box.time.advance(bySeconds: 600)
        let reply = try await ask(box, token: token, question)
        #expect(reply.status == 400)
        #expect(reply["error"] == "invalid_client")
        question["client_secret"] = nil
        #expect(try await ask(box, token: token, question).status == 200)
    }

    @Test("A transfer identifier is the same in all apps that go to one team")
    func severalApps() async throws {
        let box = try await box()
        let second: JSONObject = ["client_id": "com.example.two"]
        _ = try await box.apple.add(
            .app,
            ["client_id": "com.example.two", "team_id": .string(Box.team)]
        )
        func identifier(_ changes: JSONObject) async throws -> JSONValue {
            let token = try await box.credentials(changes)["identity_token"]?.stringValue ?? ""
            return try #require(TokenText(token).claims["transfer_sub"])
        }
        _ = try await box.credentials()
        _ = try await box.credentials(second)
        try await transfer(box)
        _ = try await box.apple.transfer([
            "client_id": "com.example.two", "to_team": .string(Self.other),
        ])
        #expect(try await identifier([:]) == identifier(second))
    }

    @Test("Moving many people is not slowed down or refused")
    func many() async throws {
        let box = try await box()
        let user = try #require(try await box.credentials()["user"]?.stringValue)
        let token = try await grant(box)["access_token"]
        for _ in 1...50 {
            let reply = try await ask(box, token: token, ["sub": user, "target": Self.other])
            #expect(reply.status == 200)
        }
    }

    @Test("Tokens carry the transfer identifier for 60 days")
    func claim() async throws {
        let box = try await box()
        func claims() async throws -> JSONObject {
            TokenText(try await box.credentials()["identity_token"]?.stringValue ?? "").claims
        }
        let before = try await claims()
        #expect(before["transfer_sub"] == nil)
        try await transfer(box)
        let after = try await claims()
        #expect(after["transfer_sub"] != nil)
        #expect(after["sub"] != before["sub"])
        box.time.advance(bySeconds: 60 * 86_400 - 1)
        #expect(try await claims()["transfer_sub"] == after["transfer_sub"])
        box.time.advance(bySeconds: 1)
        let late = try await claims()
        #expect(late["transfer_sub"] == nil)
        #expect(late["sub"] == after["sub"])
        #expect(try await grant(box)["error"] == "invalid_client")
    }

    @Test("Who comes after the transfer has no transfer identifier")
    func newcomer() async throws {
        let box = try await box()
        try await transfer(box)
        let token = try await box.credentials()["identity_token"]?.stringValue ?? ""
        #expect(TokenText(token).claims["transfer_sub"] == nil)
    }

    @Test("A device tells of the transfer until the person signs in again")
    func credentialState() async throws {
        let box = try await box()
        func state() async throws -> String {
            try await box.apple.credentialState(of: "maya@example.com", clientID: Box.app)
        }
        _ = try await box.credentials()
        try await transfer(box)
        #expect(try await state() == "transferred")
        let again = try await box.credentials()
        #expect(again["full_name"] == nil)
        #expect(try await state() == "authorized")
    }

    @Test("The web follows the app, and tokens go along")
    func web() async throws {
        let box = try await box()
        let fields = try await box.signInOnTheWeb()
        let tokens = try await box.exchange(fields["code"] ?? "")
        try await transfer(box)
        #expect(try await box.refresh(tokens["refresh_token"] ?? "")["error"] == "invalid_client")
        let secret = try box.secret(
            header: ["kid": "OTHERKEY01"],
            claims: ["iss": .string(Self.other)],
            key: otherKey
        )
        let reply = try await box.refresh(tokens["refresh_token"] ?? "", ["client_secret": secret])
        let claims = TokenText(reply["id_token"] ?? "").claims
        #expect(claims["transfer_sub"] != nil && claims.names.last == "transfer_sub")
        #expect(claims["sub"] != TokenText(tokens["id_token"] ?? "").claims["sub"])
    }

    @Test(
        "A wrong transfer is refused by name",
        arguments: [
            (["client_id": "com.example.none", "to_team": "OTHERTEAM1"], "client_id"),
            (["client_id": "com.example.juice.web", "to_team": "OTHERTEAM1"], "client_id"),
            (["client_id": "com.example.juice", "to_team": "NOSUCHTEAM"], "to_team"),
            (["client_id": "com.example.juice", "to_team": "JUICETEAM1"], "to_team"),
            (["client_id": "com.example.juice"], "to_team"),
            (["client_id": "com.example.juice", "team": "OTHERTEAM1"], "team"),
        ] as [(JSONObject, String)]
    )
    func wrong(object: JSONObject, field: String) async throws {
        let box = try await box()
        let refusal = await #expect(throws: ControlRefusal.self) {
            try await box.apple.transfer(object)
        }
        #expect(refusal?.field == field)
    }

    @Test("A grouped app is not transferred")
    func grouped() async throws {
        let box = try await box()
        let extra: JSONObject = [
            "client_id": "com.example.extra", "team_id": .string(Box.team),
            "primary_client_id": .string(Box.app),
        ]
        _ = try await box.apple.add(.app, extra)
        for clientID in ["com.example.extra", Box.app] {
            let refusal = await #expect(throws: ControlRefusal.self) {
                try await box.apple.transfer([
                    "client_id": .string(clientID), "to_team": .string(Self.other),
                ])
            }
            #expect(refusal?.kind == .conflict)
        }
    }

    @Test("A reset undoes a transfer")
    func reset() async throws {
        let box = try await box()
        try await transfer(box)
        #expect(await box.apple.state()["transfers"]?.arrayValue?.count == 1)
        try await box.apple.reset()
        #expect(await box.apple.state()["transfers"]?.arrayValue?.isEmpty == true)
        #expect(try await grant(box).status == 200)
    }
}
