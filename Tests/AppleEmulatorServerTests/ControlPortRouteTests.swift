import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

// Fidelity: device-15
@Suite final class ControlPortRouteTests: ControlSuite {
    static let person: JSONObject = [
        "email": "maya@example.com", "given_name": "Maya", "family_name": "Okafor",
        "password": "apple",
    ]

    @Test func addingAnswers201ThenTheSame200ThenOtherValues409() async throws {
        let team: JSONObject = ["team_id": "TEAM123456", "name": "One"]
        let made = try await control.post("/teams", team, expecting: .created)
        #expect(made["team_id"] == "TEAM123456")
        try await control.post("/teams", team, expecting: .ok)
        let other: JSONObject = ["team_id": "TEAM123456", "name": "Two"]
        let refusal = try await control.post("/teams", other, expecting: .conflict)
        #expect(refusal["code"] == "conflict")
    }

    private static let settings = "/people/maya@example.com"

    @Test(arguments: [
        ("/teams", #"{"team_id":7}"#, "team_id"), ("/apps", #"{"client_id":"a"}"#, "team_id"),
        ("/people", "{}", "email"), ("/keys", #"{"team_id":"short"}"#, "team_id"),
        ("/services", #"{"client_id":"a.b","return_urls":"x"}"#, "primary_client_id"),
        ("/authorizations/next", #"{"decision":"perhaps"}"#, "person"),
        ("/clock", #"{"advance_seconds":"soon"}"#, "advance_seconds"),
        ("/faults", #"{"endpoint":true}"#, "endpoint"), ("/transfers", "{}", "client_id"),
        ("/reset", #"{"hard":true}"#, "hard"), ("/notifications", "{}", "type"),
        ("/notifications", #"{"type":"x","client_id":"none"}"#, "client_id"),
        ("/notifications/settings", #"{"duplicates":-1}"#, "duplicates"),
        ("/apps", #"{"client_id":"a","team_id":"T","notification_url":"x"}"#, "notification_url"),
        (settings + "/stop-using", "{}", "client_id"),
        (settings + "/stop-using", #"{"client_id":1}"#, "client_id"),
        (settings + "/forwarding", #"{"client_id":"com.example.juice"}"#, "enabled"),
        (settings + "/forwarding", #"{"client_id":"com.example.juice","enabled":1}"#, "enabled"),
        (settings + "/password", "{}", "password"),
        ("/teams", #"{"team":1}"#, "team"), ("/notifications", #"{"event":1}"#, "event"),
        (settings + "/stop-using", #"{"client_id":"x","y":1}"#, "y"),
        (settings + "/forwarding", #"{"client_id":"x","enabled":true,"y":1}"#, "y"),
    ])
    func wrongFieldsAreNamed(path: String, body: String, field: String) async throws {
        try await register()
        let answer = try await control.send(.post, path, body, expecting: .unprocessableContent)
        #expect(answer.object["field"] == .string(field))
        #expect(answer.object["detail"]?.stringValue?.isEmpty == false)
    }

    @Test func oneObjectIsShownAndRemoved() async throws {
        try await register()
        let person = try await control.send(.get, Self.settings, expecting: .ok)
        #expect(person.object["given_name"] == "Maya" && person.object["consents"] == [])
        let app = try await control.send(.get, "/apps/com.example.juice", expecting: .ok)
        #expect(app.object["team_id"] == "TEAM123456")
        try await control.send(.get, "/people/none@example.com", expecting: .notFound)
        try await control.send(.get, "/apps/none", expecting: .notFound)
        let source: JSONObject = ["team_id": "TEAM123456", "domain": "juice.example.com"]
        try await control.post("/mail-sources", source, expecting: .created)
        let path = "/mail-sources/juice.example.com"
        try await control.send(.delete, path + "?team_id=OTHERTEAM1", expecting: .notFound)
        try await control.send(.delete, path + "?team_id=TEAM123456", expecting: .noContent)
        let key = try await control.post("/keys", ["team_id": "TEAM123456"], expecting: .created)
        try await control.send(.delete, "/keys/" + key.text("key_id"), expecting: .noContent)
        try await control.send(.delete, "/teams/TEAM123456", expecting: .conflict)
        try await control.send(.delete, "/apps/com.example.juice", expecting: .noContent)
        try await control.send(.delete, "/teams/TEAM123456", expecting: .noContent)
    }

    @Test func decisionsAndFaultsAreListedAndRemoved() async throws {
        try await register()
        let decision: JSONObject = [
            "person": "maya@example.com", "client_id": "com.example.juice",
        ]
        try await control.post("/authorizations/next", decision, expecting: .created)
        let list = try await control.send(.get, "/authorizations/next", expecting: .ok)
        #expect(list.object.objects("decisions").first?["client_id"] == "com.example.juice")
        let path = "/authorizations/next?client_id="
        try await control.send(.delete, path, expecting: .unprocessableContent)
        try await control.send(.delete, path + "com.example.juice", expecting: .noContent)
        let left = try await control.send(.get, "/authorizations/next", expecting: .ok)
        #expect(left.object["decisions"] == [])
        let fault: JSONObject = ["endpoint": "token", "status": 503]
        let made = try await control.post("/faults", fault, expecting: .created)
        let id = try #require(made["id"]?.integerValue)
        try await control.send(.delete, "/faults/\(id)", expecting: .noContent)
        try await control.send(.delete, "/faults/\(id)", expecting: .notFound)
    }

    @Test func theSchemaOfASeedNamesItsSections() async throws {
        let schema = try await control.send(.get, "/schema/seed.json", expecting: .ok).object
        let names = try #require(schema["properties"]?.objectValue).names
        #expect(Set(names).isSuperset(of: ["teams", "mail_sources", "faults", "switches"]))
        #expect(schema["additionalProperties"] == false)
    }

    @Test func aPersonChangesThePassword() async throws {
        try await register()
        let path = "/people/maya@example.com/password"
        try await control.post(path, ["password": "pear"], expecting: .noContent)
    }

    @Test func anAppGoesToAnotherTeam() async throws {
        try await register()
        try await control.post("/teams", ["team_id": "OTHERTEAM1"], expecting: .created)
        let transfer = try await control.post(
            "/transfers",
            ["client_id": "com.example.juice", "to_team": "OTHERTEAM1"],
            expecting: .created
        )
        #expect(transfer["from_team"] != nil && transfer["window_ends_at"] != nil)
        #expect(transfer["to_team"] == "OTHERTEAM1")
    }

    @Test func aDeviceIsHandedCredentialsAndThePersonStopsUsingTheApp() async throws {
        try await register()
        let path = "/people/maya%40example.com"
        let credentials = try await control.post(
            "\(path)/credentials",
            ["client_id": "com.example.juice", "scopes": ["name", "email"], "email": "hide"],
            expecting: .created
        )
        #expect(credentials["identity_token"]?.stringValue?.isEmpty == false)
        #expect(try await credentialState()["state"] == "authorized")
        let forwarding = try await control.post(
            "\(path)/forwarding",
            ["client_id": "com.example.juice", "enabled": false],
            expecting: .ok
        )
        #expect(forwarding["enabled"] == false)
        let stopped = try await control.post(
            "\(path)/stop-using",
            ["client_id": "com.example.juice"],
            expecting: .ok
        )
        #expect(stopped["state"] == "revoked")
    }

    @Test func anUnknownPersonIs404() async throws {
        try await register()
        let app: JSONObject = ["client_id": "com.example.juice"]
        let password: JSONObject = ["password": "pear"]
        for (path, body) in [("stop-using", app), ("credentials", app), ("password", password)] {
            let refusal = try await control.post(
                "/people/nobody@example.com/" + path,
                body,
                expecting: .notFound
            )
            #expect(refusal["code"] == "not_found")
        }
        try await control.send(.delete, "/people/nobody@example.com", expecting: .notFound)
    }

    @Test func credentialStatesHaveTheirNumbers() async throws {
        try await register()
        try await control.post("/teams", ["team_id": "TEAM654321"], expecting: .created)
        let client: JSONObject = ["client_id": "com.example.juice"]
        let person = "/people/maya@example.com"
        #expect(try await credentialState()["number"] == 2)
        try await control.post(person + "/credentials", client, expecting: .created)
        #expect(try await credentialState()["number"] == 1)
        try await control.post(person + "/stop-using", client, expecting: .ok)
        #expect(try await credentialState()["number"] == 0)
        try await control.post(person + "/credentials", client, expecting: .created)
        let transfer: JSONObject = ["client_id": "com.example.juice", "to_team": "TEAM654321"]
        try await control.post("/transfers", transfer, expecting: .created)
        #expect(try await credentialState()["number"] == 3)
    }

    @Test func credentialStateNeedsAClient() async throws {
        try await register()
        let path = "/people/maya@example.com/credential-state"
        for query in ["", "?client_id=", "?client_id=a&client_id=b"] {
            let answer = try await control.send(.get, path + query)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.object["field"] == "client_id")
        }
    }

    @Test func deletedPeopleAreGoneAndResetBringsTheSeedBack() async throws {
        try await register()
        try await control.send(.delete, "/people/maya@example.com", expecting: .noContent)
        try await control.send(.delete, "/people/maya@example.com", expecting: .notFound)
        #expect(try await control.post("/reset", [:], expecting: .ok)["teams"] == [])
    }

    @Test func steeringAnswersWhatItDid() async throws {
        try await register()
        try await control.post(
            "/authorizations/next",
            ["person": "maya@example.com", "decision": "cancel"],
            expecting: .created
        )
        try await control.post("/signing-keys/rotate", [:], expecting: .ok)
        try await control.post("/clock", ["advance_seconds": 60], expecting: .ok)
        try await control.post(
            "/faults",
            ["endpoint": "keys", "status": 503, "count": 1],
            expecting: .created
        )
        try await control.send(.delete, "/faults", expecting: .noContent)
    }

    @Test func notificationsAreMadeAndListed() async throws {
        try await register()
        let order: JSONObject = [
            "type": "consent-revoked", "client_id": "com.example.juice", "sub": "000123.a.0456",
        ]
        let made = try await control.post("/notifications", order, expecting: .created)
        #expect(made["state"] == "not_sent" && made["number"] == 1)
        let listed = try await control.send(.get, "/notifications")
        #expect(listed.object["notifications"]?.arrayValue?.count == 1)
        try await control.send(.delete, "/notifications", expecting: .methodNotAllowed)
    }

    @Test func notificationSettingsAreShownAndChanged() async throws {
        let changed = try await control.post(
            "/notifications/settings",
            ["account_deletion": "account-delete"],
            expecting: .ok
        )
        let shown = try await control.send(.get, "/notifications/settings")
        #expect(shown.object["account_deletion"] == "account-delete")
        #expect(Set(shown.object.names) == Set(changed.names))
    }

    @Test func requestsAreListed() async throws {
        #expect(try await control.send(.get, "/requests").object["requests"] == [])
    }

    private func register() async throws { try await control.register(Self.person) }

    private func credentialState() async throws -> JSONObject {
        let path = "/people/maya@example.com/credential-state?client_id=com.example.juice"
        return try await control.send(.get, path).object
    }

    @Test func switchesAreListedSetAndSetBack() async throws {
        let usual = try await control.send(.get, "/switches", expecting: .ok)
        #expect(usual.object["identity_token_seconds"] == 86_400)
        let set = try await control.send(
            .patch,
            "/switches",
            #"{"identity_token_seconds":600,"throttled_refresh":429}"#
        )
        #expect(set.status == .ok)
        #expect(set.object["identity_token_seconds"] == 600)
        #expect(set.object["throttled_refresh"] == "429")
        #expect(try await control.send(.get, "/switches").object == set.object)
        #expect(try await control.send(.delete, "/switches").object == usual.object)
    }

    @Test(arguments: [
        (#"{"colour":1}"#, "colour"), (#"{"issuer":1}"#, "issuer"),
        (#"{"signing_key_count":99}"#, "signing_key_count"),
    ])
    func wrongSwitchesAreNamed(body: String, field: String) async throws {
        let answer = try await control.send(.patch, "/switches", body)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.object["field"] == .string(field))
    }

    @Test func whatIsNestedTooDeeplyIsToldSo() async throws {
        let text = "{\"a\":" + String(repeating: "[", count: 17)
        let body = text + String(repeating: "]", count: 17) + "}"
        let deep = try await control.send(.patch, "/switches", body, expecting: .badRequest)
        #expect(deep.text.contains("nested deeper than 16 levels"))
        for (body, words) in [
            ("{\"a\":1", "it ends too early"), ("[]", "it is not an object, at byte 0"),
            ("{\"a\":1,\"a\":2}", "twice"), ("{\"a\":1e999}", "a number is too large"),
        ] {
            let wrong = try await control.send(.patch, "/switches", body, expecting: .badRequest)
            #expect(wrong.text.contains(words))
        }
    }

    @Test func faultsAreListed() async throws {
        let fault: JSONObject = ["endpoint": "keys", "content_type": "text/html", "count": 3]
        try await control.post("/faults", fault, expecting: .created)
        let listed = try await control.send(.get, "/faults")
        let first = listed.object["faults"]?.arrayValue?.first?.objectValue
        #expect(first?["content_type"] == "text/html")
        #expect(first?["count"] == 3)
    }
}
