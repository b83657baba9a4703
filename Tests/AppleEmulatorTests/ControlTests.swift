import AppleEmulator
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import Testing

// Fidelity: registration-1, registration-3, registration-5, registration-6, redirect-7, keys-4
// Fidelity: keys-12, mail-10
@Suite("The control operations") final class ControlTests: BoxSuite {
    @Test("Adding makes once, repeats quietly, and refuses other values") func add() async throws {
        let pem = P256.Signing.PrivateKey().publicKey.pemRepresentation
        let objects: [(SeedKind, JSONObject, JSONObject)] = [
            (.team, ["team_id": "NEWTEAM001", "name": "A"], ["name": "B"]),
            (
                .key,
                ["team_id": "NEWTEAM001", "key_id": "NEWKEY0001", "public_key_pem": .string(pem)],
                ["team_id": .string(Box.team)]
            ),
            (.app, ["client_id": "com.new", "team_id": "NEWTEAM001"], ["name": "B"]),
            (
                .service, ["client_id": "com.new.web", "primary_client_id": "com.new"],
                ["return_urls": ["https://new.example.com/"]]
            ),
            (.person, ["email": "new@example.com"], ["given_name": "New"]),
        ]
        for (kind, object, change) in objects {
            let first = try await box.apple.add(kind, object)
            #expect(first.isNew)
            let second = try await box.apple.add(kind, object)
            #expect(!second.isNew)
            let refusal = await box.refusal(of: kind, object.merging(change))
            #expect(refusal?.kind == .conflict, "\(kind)")
        }
    }

    @Test("A key without a public half gets a pair") func pair() async throws {
        let made = try await box.apple.add(.key, ["team_id": .string(Box.team)]).object
        let pem = try #require(made["private_key_pem"]?.stringValue)
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        let secret = try box.secret(header: ["kid": made["key_id"] ?? .null], key: key)
        let code = try await box.code()
        #expect(try await box.exchange(code, ["client_secret": secret]).status == 200)
    }

    @Test("A client id does not begin with its Team ID", arguments: [SeedKind.app, .service])
    func teamPrefix(kind: SeedKind) async throws {
        var object: JSONObject = ["client_id": .string(Box.team + ".com.new")]
        object[kind == .app ? "team_id" : "primary_client_id"] =
            .string(kind == .app ? Box.team : Box.app)
        let refusal = await box.refusal(of: kind, object)
        #expect(refusal?.field == "client_id")
        #expect(refusal?.message.contains("Team ID") == true)
    }

    @Test("Forwarding is switched only where a relay address was given out")
    func forwarding() async throws {
        _ = try await box.credentials(["scopes": ["name"], "email": "hide"])
        await box.expectRefusal(.notFound) {
            try await $0.setForwarding(Box.maya, clientID: ClientID(Box.app), enabled: false)
        }
    }

    @Test("Keys kept over several rotations stay published") func retainedKeys() async throws {
        let box = try await Box(configuration: EmulatorConfiguration(signingKeyCount: 1))
        func published() async -> [String] {
            let keys = await box.send(.get, "/auth/keys").json["keys"]?.arrayValue ?? []
            return keys.compactMap { $0.objectValue?["kid"]?.stringValue }
        }
        let first = await published()
        for _ in 1...2 { _ = try await box.apple.rotateSigningKeys(["keep_old": true]) }
        let last = await published()
        #expect(last.count == first.count + 2)
        #expect(Set(first).isSubset(of: last))
        let retained = await box.apple.state()["retained_signing_keys"]?.arrayValue ?? []
        #expect(retained.compactMap(\.stringValue) == Array(last.dropFirst()))
        _ = try await box.apple.rotateSigningKeys([:])
        #expect(await published().count == 1)
    }

    @Test("A wrong field is named") func wrongFields() async throws {
        func expect(
            _ kind: SeedKind,
            _ mistakes: [(JSONObject, String)],
            _ refusal: ControlRefusal.Kind = .wrongField
        ) async {
            await box.expectRefused(mistakes, kind: refusal) { try await box.apple.add(kind, $0) }
        }
        let team = JSONValue.string(Box.team)
        let web = JSONValue.string(Box.web)
        let service: JSONObject = ["client_id": "a", "primary_client_id": .string(Box.app)]
        await expect(.team, [(["team": "x"], "team")], .unknownField)
        await expect(.team, [(["team_id": "lower12345"], "team_id")])
        await expect(
            .key,
            [
                ([:], "team_id"), (["team_id": team, "key_id": "SHORT"], "key_id"),
                (["team_id": "NOSUCHTEAM"], "team_id"),
                (["team_id": team, "public_key_pem": "x"], "public_key_pem"),
                (["team_id": team, "primary_client_id": "com.none"], "primary_client_id"),
            ]
        )
        let app: JSONObject = ["client_id": "a", "team_id": team]
        await expect(
            .app,
            [
                (["team_id": team], "client_id"), (app.merging(["client_id": "a b"]), "client_id"),
                (app.merging(["primary_client_id": "com.none"]), "primary_client_id"),
            ]
        )
        await expect(.app, [(app.merging(["client_id": web]), "client_id")], .conflict)
        await expect(
            .service,
            [
                (service.merging(["return_urls": ["com.example:/back"]]), "return_urls"),
                (service.merging(["primary_client_id": "com.none"]), "primary_client_id"),
            ]
        )
        await expect(.person, [(["email": 1], "email")])
    }

    @Test("A string has at most 512 characters, of any number of bytes") func length() async throws
    {
        let longest = String(repeating: "é", count: 512)
        let team = try await box.apple.add(.team, ["name": .string(longest)])
        #expect(team.object["name"] == .string(longest))
        await box.expectRefused([(["name": .string(longest + "é")], "name")]) {
            try await box.apple.add(.team, $0)
        }
    }

    @Test("More than 100 faults are a conflict") func faultLimit() async throws {
        let fault: JSONObject = ["endpoint": "token", "status": 500]
        for _ in 0..<100 { _ = try await box.apple.addFault(fault) }
        await box.expectRefused([(fault, "count")], kind: .conflict) {
            try await box.apple.addFault($0)
        }
    }

    @Test("The clock moves by seconds and to a time") func clock() async throws {
        _ = try await box.apple.moveClock(["now": "2030-01-31T12:00:00Z"])
        let moved = try await box.apple.moveClock(["advance_seconds": 61])
        #expect(moved["now"] == "2030-01-31T12:01:01Z")
        let token = TokenText(try await box.signInOnTheWeb()["id_token"])
        #expect(token.claims["iat"] == 1_896_091_261)
        for wrong in [[:], ["now": "soon"], ["now": 1, "advance_seconds": 1]] as [JSONObject] {
            await #expect(throws: ControlRefusal.self) { try await box.apple.moveClock(wrong) }
        }
    }

    @Test("Faults break an endpoint as often as set") func faults() async throws {
        _ = try await box.apple.addFault([
            "endpoint": "keys", "status": 503, "body": "<p>later</p>", "count": 2,
        ])
        for _ in 1...2 {
            let reply = await box.send(.get, "/auth/keys")
            #expect(reply.status == 503)
            #expect(reply.text == "<p>later</p>")
        }
        #expect(await box.send(.get, "/auth/keys").status == 200)
        _ = try await box.apple.addFault(["endpoint": "/auth/keys", "delay_ms": 1_500])
        let slow = await box.send(.get, "/auth/keys")
        #expect(slow.status == 200)
        #expect(slow.answer.delay == .milliseconds(1_500))
        _ = try await box.apple.addFault(["endpoint": "token", "drop": true, "count": 9])
        #expect(await box.send(.post, "/auth/token").answer.isDropped)
        await box.apple.clearFaults()
        #expect(await !box.send(.post, "/auth/token").answer.isDropped)
    }

    @Test("The request log is bounded and contains no secret") func log() async throws {
        let box = try await Box(configuration: EmulatorConfiguration(maximumRequestLogCount: 5))
        let fields = try await box.signInOnTheWeb()
        let answer = try await box.exchange(fields["code"] ?? "")
        _ = try await box.refresh(answer["refresh_token"])
        _ = try await box.exchange(fields["code"] ?? "")
        let text = await box.apple.requests().map(\.text).joined(separator: "\n")
        for secret in [fields["code"], fields["id_token"], answer["refresh_token"], "n-1", "s-1"] {
            #expect(!text.contains(secret ?? "?"))
        }
        let last = try #require(await box.apple.requests().last)
        #expect(
            last.names == [
                "number", "time", "method", "path", "client_id", "status", "error", "reason",
                "hint", "flow",
            ]
        )
        for _ in 1...6 { _ = await box.send(.get, "/auth/keys") }
        let numbers = await box.apple.requests().compactMap { $0["number"]?.integerValue }
        #expect(numbers == [6, 7, 8, 9, 10])
    }

    @Test("A reset goes back to the seed") func reset() async throws {
        _ = try await box.credentials()
        _ = try await box.apple.add(.team, ["team_id": "NEWTEAM001"])
        _ = try await box.apple.moveClock(["advance_seconds": 1_000])
        try await box.apple.reset()
        let state = await box.apple.state()
        #expect(state["teams"]?.arrayValue?.count == 1)
        #expect(try await box.credentials()["full_name"] != nil)
        let code = try await box.code()
        #expect(try await box.exchange(code).status == 200)
        #expect(!state.text.contains("apple\""))
    }
}
