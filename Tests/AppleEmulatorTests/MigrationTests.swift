import AppleEmulator
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import Testing

// Fidelity: registration-2, registration-18, device-14, exchange-18, exchange-19, exchange-27
// Fidelity: grant-14, grant-18, claim-25, claim-26, claim-27, user-9, transfer-1, transfer-2
// Fidelity: transfer-3, transfer-4, transfer-5, transfer-6, transfer-7, transfer-8, transfer-9
// Fidelity: transfer-10, transfer-11, transfer-12, transfer-13, transfer-14, transfer-15
// Fidelity: transfer-16, transfer-17, transfer-19, transfer-20, transfer-21, transfer-23
// Fidelity: transfer-24, transfer-25, transfer-27
@Suite("Moving an app to another team") struct MigrationTests {
    private static let path = "/auth/usermigrationinfo"
    private static var form: Regex<Substring> { /\d{6}\.r[0-9a-f]{32}/ }
    private let otherKey: P256.Signing.PrivateKey
    private let box: Box

    init() async throws {
        let otherKey = P256.Signing.PrivateKey()
        self.otherKey = otherKey
        box = try await Box { $0.addOtherTeam(key: otherKey) }
    }

    private func maya() async throws -> String {
        try #require(try await box.credentials()["user"]?.stringValue)
    }

    private func client(isOther: Bool = false) throws -> [String: String] {
        let secret =
            isOther
            ? try box.secret(
                header: ["kid": "OTHERKEY01"],
                claims: ["iss": .string(Box.otherTeam), "sub": .string(Box.app)],
                key: otherKey
            )
            : try box.secret(claims: ["sub": .string(Box.app)])
        return ["client_id": Box.app, "client_secret": secret]
    }

    private func grant(
        isOther: Bool = false,
        _ changes: [String: String?] = [:]
    ) async throws -> Reply {
        var fields = try client(isOther: isOther)
        fields["grant_type"] = "client_credentials"
        fields["scope"] = "user.migration"
        for (name, value) in changes { fields[name] = value }
        return await box.post("/auth/token", fields)
    }

    private func ask(
        isOther: Bool = false,
        token: String?,
        _ question: [String: String]
    ) async throws -> Reply {
        let fields = try client(isOther: isOther).merging(question) { $1 }
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        return await box.send(.post, Self.path, body: Box.encode(fields), headers: headers)
    }

    /// Returns the transfer identifier of `user`, and transfers the app.
    private func leave(_ user: String, for target: String) async throws -> String {
        let question = ["sub": user, "target": target]
        let reply = try await ask(token: grant()["access_token"], question)
        try await box.transfer()
        return try #require(reply["transfer_sub"])
    }

    private func arrive(with transferSub: String) async throws -> Reply {
        let token = try await grant(isOther: true)["access_token"]
        return try await ask(isOther: true, token: token, ["transfer_sub": transferSub])
    }

    @Test("The grant has an access token and nothing else") func form() async throws {
        let reply = try await grant()
        #expect(reply.status == 200)
        let form = /\{"access_token":"a[^"]+","token_type":"Bearer","expires_in":3600\}/
        #expect(reply.text.wholeMatch(of: form) != nil)
    }

    @Test("The grant has one scope", arguments: [nil, "email", "user.migration email"])
    func scope(_ scope: String?) async throws {
        let reply = try await grant(["scope": scope])
        #expect(reply.status == 400)
        #expect(reply.text == #"{"error":"invalid_scope"}"#)
    }

    @Test("The grant requires a valid secret") func secret() async throws {
        #expect(try await grant(["client_secret": "x"])["error"] == "invalid_client")
        #expect(try await grant(["client_secret": nil])["error"] == "invalid_request")
        #expect(try await grant(isOther: true)["error"] == "invalid_client")
    }

    @Test("A transfer identifier is the same each time, and another for each team")
    func identifier() async throws {
        let user = try await maya()
        let token = try await grant()["access_token"]
        func identifier(for target: String) async throws -> String {
            let reply = try await ask(token: token, ["sub": user, "target": target])
            return try #require(reply["transfer_sub"])
        }
        let first = try await identifier(for: Box.otherTeam)
        #expect(first.wholeMatch(of: Self.form) != nil)
        #expect(first.prefix(7) == user.prefix(7))
        #expect(try await identifier(for: Box.otherTeam) == first)
        #expect(try await identifier(for: "NOSUCHTEAM") != first)
        #expect(first != user)
    }

    @Test("A person's own access token does in place of the team's") func ownToken() async throws {
        let credential = try await box.credentials()
        var fields = try client()
        fields["grant_type"] = "authorization_code"
        fields["code"] = credential["authorization_code"]?.stringValue
        let token = await box.post("/auth/token", fields)["access_token"]
        let question = ["sub": credential["user"]?.stringValue ?? "", "target": Box.otherTeam]
        #expect(try await ask(token: token, question).status == 200)
    }

    @Test("What is missing, unknown or over is refused") func refusals() async throws {
        let user = try await maya()
        let token = try await grant()["access_token"]
        let question = ["sub": user, "target": Box.otherTeam]
        for (wrong, error) in [
            (["sub": user], "invalid_request"), ([:], "invalid_request"),
            (["sub": "000000.none.0000", "target": Box.otherTeam], "invalid_request"),
            (["sub": user, "transfer_sub": user, "target": Box.otherTeam], "invalid_request"),
            (question.merging(["client_secret": "x"]) { $1 }, "invalid_client"),
        ] {
            let reply = try await ask(token: token, wrong)
            #expect(reply.status == 400)
            #expect(reply["error"] == error, "\(wrong)")
        }
        #expect(try await ask(token: nil, question)["error"] == "invalid_request")
        #expect(try await ask(token: "a", question)["error"] == "invalid_grant")
        #expect(await box.send(.get, Self.path).status == 405)
        box.time.advance(bySeconds: 3_600)
        #expect(try await ask(token: token, question)["error"] == "invalid_grant")
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
        let fresh = try await grant()["access_token"]
        #expect(try await ask(token: fresh, question)["error"] == "invalid_request")
        #expect(await box.lastReason().contains("stopped using"))
    }

    @Test("The other team gets its own identifier, and a new relay address")
    func arrival() async throws {
        let before = try await box.credentials(["email": "hide"])
        let user = try #require(before["user"]?.stringValue)
        let question = ["sub": user, "target": Box.otherTeam]
        let token = try await grant()["access_token"]
        let between = try #require(try await ask(token: token, question)["transfer_sub"])
        try await box.transfer()
        let reply = try await arrive(with: between)
        #expect(reply.text.contains(#"","is_private_email":true}"#))
        #expect(reply["sub"] != user && reply["email"] != before["email"]?.stringValue)
        #expect(try await ask(token: token, question)["transfer_sub"] == between)
        let mixed = try await ask(isOther: true, token: token, ["transfer_sub": between])
        #expect(mixed["error"] == "invalid_grant")
    }

    @Test("Who shared the address moves without one") func sharedAddress() async throws {
        let between = try await leave(maya(), for: Box.otherTeam)
        #expect(try await arrive(with: between).json.names == ["sub"])
    }

    @Test("A wrong target shows only when the other team comes") func wrongTarget() async throws {
        let between = try await leave(maya(), for: Box.team)
        #expect(try await arrive(with: between).text == #"{"error":"invalid_request"}"#)
    }

    @Test("After the 60 days an app goes back and comes again, and people move once more")
    func again() async throws {
        let user = try await maya()
        let question = ["sub": user, "target": Box.otherTeam]
        let first = try await ask(token: grant()["access_token"], question)
        let arrival = ["transfer_sub": try #require(first["transfer_sub"])]
        try await box.transfer()
        box.time.advance(bySeconds: 60 * 86_400 - 1)
        let late = try await grant(isOther: true)["access_token"]
        #expect(try await ask(isOther: true, token: late, arrival).status == 200)
        box.time.advance(bySeconds: 1)
        let over = try await ask(isOther: true, token: late, arrival)
        #expect(over["error"] == "invalid_request")
        #expect(await box.lastReason().contains("60 days"))
        try await box.transfer(to: Box.team)
        #expect(try await box.credentials()["user"]?.stringValue == user)
        try await box.transfer()
        #expect(try await box.deviceToken().claims["transfer_sub"] != nil)
    }

    @Test("A secret that expires on the way is an invalid client from then on")
    func expiredSecret() async throws {
        let user = try await maya()
        let token = try await grant()["access_token"]
        var question = ["sub": user, "target": Box.otherTeam]
        question["client_secret"] = try client()["client_secret"]
        #expect(try await ask(token: token, question).status == 200)
        box.time.advance(bySeconds: 600)
        let reply = try await ask(token: token, question)
        #expect(reply.status == 400)
        #expect(reply["error"] == "invalid_client")
        question["client_secret"] = nil
        #expect(try await ask(token: token, question).status == 200)
    }

    @Test("A transfer identifier is the same in all apps that go to one team")
    func severalApps() async throws {
        let second: JSONObject = ["client_id": "com.example.two"]
        _ = try await box.apple.add(
            .app,
            ["client_id": "com.example.two", "team_id": .string(Box.team)]
        )
        func identifier(_ changes: JSONObject) async throws -> JSONValue {
            try #require(await box.deviceToken(changes).claims["transfer_sub"])
        }
        _ = try await box.credentials()
        _ = try await box.credentials(second)
        try await box.transfer()
        try await box.transfer("com.example.two")
        #expect(try await identifier([:]) == identifier(second))
    }

    @Test("Moving many people is not slowed down or refused") func many() async throws {
        let user = try await maya()
        let token = try await grant()["access_token"]
        for _ in 1...50 {
            let reply = try await ask(token: token, ["sub": user, "target": Box.otherTeam])
            #expect(reply.status == 200)
        }
    }

    @Test("Tokens carry the transfer identifier for 60 days") func claim() async throws {
        func claims() async throws -> JSONObject { try await box.deviceToken().claims }
        let before = try await claims()
        #expect(before["transfer_sub"] == nil)
        try await box.transfer()
        let token = try await box.deviceToken()
        #expect(token.names.hasSuffix(" auth_time transfer_sub nonce_supported"), "\(token.names)")
        let after = token.claims
        let between = after["transfer_sub"]?.stringValue ?? ""
        #expect(between.wholeMatch(of: Self.form) != nil, "\(between)")
        #expect(after["sub"]?.stringValue?.prefix(7) == between.prefix(7))
        #expect(after["sub"] != before["sub"])
        box.time.advance(bySeconds: 60 * 86_400 - 1)
        #expect(try await claims()["transfer_sub"] == after["transfer_sub"])
        box.time.advance(bySeconds: 1)
        let late = try await claims()
        #expect(late["transfer_sub"] == nil)
        #expect(late["sub"] == after["sub"])
        #expect(try await grant()["error"] == "invalid_client")
    }

    @Test("The first device token after the transfer ends with the status of the user")
    func firstToken() async throws {
        _ = try await box.apple.add(
            .app,
            ["client_id": "com.example.two", "team_id": .string(Box.team)]
        )
        _ = try await box.credentials(["client_id": "com.example.two"])
        try await box.transfer()
        let names = try await box.deviceToken().names
        let end = " auth_time transfer_sub nonce_supported real_user_status"
        #expect(names.hasSuffix(end), "\(names)")
    }

    @Test("Who comes after the transfer has no transfer identifier") func newcomer() async throws {
        try await box.transfer()
        #expect(try await box.deviceToken().claims["transfer_sub"] == nil)
    }

    @Test("A device reports the transfer until the user signs in again")
    func credentialState() async throws {
        _ = try await box.credentials()
        try await box.transfer()
        #expect(try await box.state() == "transferred")
        #expect(try await box.credentials()["full_name"] == nil)
        #expect(try await box.state() == "authorized")
    }

    @Test("The web follows the app, and tokens go along") func web() async throws {
        let tokens = try await box.tokens()
        try await box.transfer()
        #expect(try await box.refresh(tokens["refresh_token"])["error"] == "invalid_client")
        let secret = try box.secret(
            header: ["kid": "OTHERKEY01"],
            claims: ["iss": .string(Box.otherTeam)],
            key: otherKey
        )
        let reply = try await box.refresh(tokens["refresh_token"], ["client_secret": secret])
        let claims = TokenText(reply["id_token"]).claims
        #expect(claims["transfer_sub"] != nil && claims.names.last == "transfer_sub")
        #expect(claims["sub"] != TokenText(tokens["id_token"]).claims["sub"])
    }

    @Test("A wrong transfer is refused by name") func wrong() async {
        func expect(_ mistakes: [(JSONObject, String)], _ kind: ControlRefusal.Kind) async {
            await box.expectRefused(mistakes, kind: kind) { try await box.apple.transfer($0) }
        }
        let app: JSONObject = ["client_id": "com.example.juice", "to_team": "OTHERTEAM1"]
        await expect(
            [
                (app.merging(["client_id": "com.example.none"]), "client_id"),
                (app.merging(["client_id": "com.example.juice.web"]), "client_id"),
                (app.merging(["to_team": "NOSUCHTEAM"]), "to_team"),
                (["client_id": "com.example.juice"], "to_team"),
            ],
            .wrongField
        )
        await expect([(app.merging(["to_team": "JUICETEAM1"]), "to_team")], .conflict)
        await expect([(app.merging(["team": "OTHERTEAM1"]), "team")], .unknownField)
    }

    @Test("A grouped app is not transferred") func grouped() async throws {
        let extra: JSONObject = [
            "client_id": "com.example.extra", "team_id": .string(Box.team),
            "primary_client_id": .string(Box.app),
        ]
        _ = try await box.apple.add(.app, extra)
        for clientID in ["com.example.extra", Box.app] {
            await box.expectRefusal(.conflict) { _ in try await box.transfer(clientID) }
        }
    }

    @Test("A reset undoes a transfer") func reset() async throws {
        try await box.transfer()
        #expect(await box.apple.state()["transfers"]?.arrayValue?.count == 1)
        try await box.apple.reset()
        #expect(await box.apple.state()["transfers"]?.arrayValue?.isEmpty == true)
        #expect(try await grant().status == 200)
    }

    @Test("A managed account moves by an identifier of the same form") func managed() async throws {
        let box = try await Box {
            $0.addOtherTeam()
            $0.people[0].isManaged = true
        }
        _ = try await box.credentials()
        try await box.transfer()
        let between = try await box.deviceToken().claims["transfer_sub"]?.stringValue ?? ""
        #expect(between.wholeMatch(of: Self.form) != nil, "\(between)")
    }
}
