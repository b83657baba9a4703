import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulator

@Suite("Switches by seed, control port and request") final class SwitchTests: BoxSuite {
    /// For every switch a value that is not the usual one.
    private static var others: JSONObject {
        let usual = EmulatorSwitches(EmulatorConfiguration()).object
        return JSONObject(
            EmulatorSwitches.fields.map { field in
                .init(name: field.name, value: other(than: usual[field.name], field))
            }
        )
    }

    private static func other(than usual: JSONValue?, _ field: SwitchField) -> JSONValue {
        switch usual {
        case .boolean(let value): .boolean(!value)
        case .integer(let value):
            .integer(field.values.hasPrefix("\(value) ") ? value + 1 : value - 1)
        default: .string(field.choices.first { .string($0) != usual } ?? "https://a.example")
        }
    }

    private static func request(_ object: JSONObject) throws -> HTTPFields {
        [try #require(HTTPField.Name(RequestSwitches.fieldName)): object.text]
    }

    @Test("Every switch is taken from a seed and from the control port, and set back")
    func everySwitch() async throws {
        let usual = EmulatorSwitches(EmulatorConfiguration()).object
        #expect(usual.names.count > 20)
        for name in usual.names { #expect(usual[name] != Self.others[name], "\(name)") }
        let seed = try Seed(yaml: "switches: " + Self.others.text)
        let seeded = try await Box { $0.switches = seed.switches }
        #expect(await seeded.apple.switches() == Self.others)
        #expect(await seeded.apple.state()["switches"] == .object(Self.others))
        let box = try await Box()
        #expect(await box.apple.switches() == usual)
        #expect(try await box.apple.changeSwitches(Self.others) == Self.others)
        #expect(try await box.apple.resetSwitches() == usual)
        _ = try await box.apple.changeSwitches(Self.others)
        try await box.apple.reset()
        #expect(await box.apple.switches() == usual)
    }

    @Test("A wrong switch is named and changes nothing") func wrong() async {
        let mistakes: [(String, JSONValue)] = [
            ("issuer", 1), ("discovery", "gone"), ("discovery", true), ("signing_key_count", 0),
            ("signing_key_count", 9), ("key_id_length", 5), ("relay_domain", "me.com"),
            ("identity_token_seconds", 0), ("clock_skew_seconds", 86_401),
            ("nonce_supported", "false"), ("throttled_refresh", 500), ("refreshes_per_day", 0),
            ("code_seconds", "long"), ("error_descriptions", 0), ("secret_skew_seconds", -1),
        ]
        func objects(_ mistakes: [(String, JSONValue)]) -> [(JSONObject, String)] {
            mistakes.map { name, value in
                let right = JSONObject.Member(name: "token_type", value: "bearer")
                return (JSONObject([right, .init(name: name, value: value)]), name)
            }
        }
        await box.expectRefused(objects(mistakes)) { try await box.apple.changeSwitches($0) }
        await box.expectRefused(objects([("colour", "red")]), kind: .unknownField) {
            try await box.apple.changeSwitches($0)
        }
        for (object, _) in objects(mistakes + [("colour", "red")]) {
            #expect(throws: SeedError.self) { try Seed(yaml: "switches: \(object.text)") }
        }
    }

    @Test("docs/reference/emulator.md has the table of switches that `make fidelity` writes")
    func documentIsCurrent() throws {
        let path = "docs/reference/emulator.md"
        let page = try Document.text(path)
        let head = try #require(page.range(of: "| switch | values |"))
        let end = try #require(page[head.lowerBound...].range(of: "\n\n"))
        let drawn = page.replacingCharacters(
            in: head.lowerBound..<end.lowerBound,
            with: SwitchTable.markdown
        )
        try Document.expect(path, toBe: drawn)
    }

    @Test("The reference page has every field of a fault") func faultFields() throws {
        let page = try Document.text("docs/reference/emulator.md")
        for name in Fault.schema.fields.flatMap(\.names) where name != "endpoint" {
            #expect(page.contains("`\(name)`"), "\(name)")
        }
    }

    @Test("A seed's errors have their line") func seedMistakes() {
        for (yaml, line) in [
            ("switches:\n  issuer: a\n  key_order: odd", 3), ("switches: []", 1),
            ("faults: {}", 1), ("faults: [1]", 1), ("faults:\n- endpoint: keys\n  status: 9", 3),
        ] {
            let error = #expect(throws: SeedError.self) { try Seed(yaml: yaml) }
            #expect(error?.line == line, "\(yaml)")
        }
    }

    @Test("A request's switches apply only to it, by header field and by query")
    func request() async throws {
        let fields = try Self.request(["issuer": "https://a.example"])
        let path = "/.well-known/openid-configuration"
        #expect(await box.send(.get, path, headers: fields)["issuer"] == "https://a.example")
        #expect(await box.send(.get, path)["issuer"] == "https://appleid.apple.com")
        let query = "?a=b&siwa_switches=%7B%22issuer%22:%20%22https://b.example%22%7D"
        #expect(await box.send(.get, path + query)["issuer"] == "https://b.example")
        try await box.decide()
        let switches = #"{"boolean_claims":"text"}"#
        let page = await box.authorize(["siwa_switches": switches])
        #expect(TokenText(page.hiddenFields["id_token"]).claims["email_verified"] == "true")
        #expect(await box.lastHint().contains("its own switches"))
    }

    @Test("A request can set its own fault") func requestFault() async throws {
        let fields = try Self.request(["fault": ["status": 502, "delay_ms": 40, "body": "<p>"]])
        let reply = await box.send(.get, "/auth/keys", headers: fields)
        #expect(reply.status == 502 && reply.text == "<p>")
        #expect(reply.answer.delay == .milliseconds(40))
        let dropped = try Self.request(["fault": ["drop": true]])
        #expect(await box.send(.get, "/auth/keys", headers: dropped).answer.isDropped)
        #expect(await box.send(.get, "/auth/keys").status == 200)
    }

    @Test(
        "A request's wrong switches are refused in words",
        arguments: [
            "x", "[]", #"{"issuer":1}"#, #"{"signing_key_count":2}"#, #"{"fault":1}"#,
            #"{"fault":{}}"#, #"{"fault":{"endpoint":"keys","drop":true}}"#,
            #"{"issuer":"a","issuer":"b"}"#, #"{"issuer":""#,
            "\"" + String(repeating: "a", count: RequestSwitches.maximumByteCount) + "\"",
        ]
    )
    func wrongRequest(text: String) async throws {
        let name = try #require(HTTPField.Name(RequestSwitches.fieldName))
        let reply = await box.send(.get, "/auth/keys", headers: [name: text])
        #expect(reply.status == 400)
        #expect(reply["error"] == "invalid_switches")
        #expect(reply["error_description"]?.isEmpty == false)
        let query = await box.send(.get, "/auth/keys?siwa_switches=%FF")
        #expect(query["error"] == "invalid_switches")
    }

    @Test("A fault in a query has no content: a link would run its script as Apple's")
    func faultByLink() async throws {
        func reply(_ fault: String) async -> Reply {
            let text = fault.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return await box.send(.get, "/auth/authorize?siwa_switches=" + text)
        }
        for member in [#""body":"<script>""#, #""content_type":"text/html""#, #""headers":{}"#] {
            let refused = await reply("{\"fault\":{\"status\":500,\(member)}}")
            #expect(refused.status == 400 && refused["error"] == "invalid_switches")
            #expect(refused.header("Content-Type") == "application/json;charset=UTF-8")
        }
        #expect(await reply(#"{"fault":{"status":503,"delay_ms":4}}"#).status == 503)
        #expect(await reply(#"{"fault":{"drop":true}}"#).answer.isDropped)
    }

    @Test("What counts requests is no part of a request's fault", arguments: ["skip", "seed"])
    func counting(name: String) async throws {
        var fault: JSONObject = ["status": 500]
        fault[name] = 1
        let fields = try Self.request(["fault": .object(fault)])
        let reply = await box.send(.get, "/auth/keys", headers: fields)
        #expect(reply.status == 400 && reply["error_description"]?.contains(name) == true)
    }

    @Test("A query has switches once, however the name is spelled") func queryNames() async throws {
        let path = "/.well-known/openid-configuration"
        let switches = "=%7B%22issuer%22:%22https://b.example%22%7D"
        #expect(
            await box.send(.get, path + "?siwa%5Fswitches" + switches)["issuer"]
                == "https://b.example"
        )
        let twice = "?siwa_switches\(switches)&siwa%5fswitches\(switches)"
        let refused = await box.send(.get, path + twice)
        #expect(refused["error_description"] == "siwa_switches is repeated")
        let wrong = await box.send(.get, path + "?siwa_switches=1")
        #expect(wrong["error_description"]?.hasPrefix("siwa_switches ") == true)
        let fields = try Self.request(["issuer": "https://a.example"])
        let both = await box.send(.get, path + "?siwa_switches" + switches, headers: fields)
        #expect(both.status == 400)
    }

    @Test("A strict emulator accepts no switches in requests") func strict() async throws {
        let box = try await Box(configuration: EmulatorConfiguration(isStrict: true))
        let fields = try Self.request(["issuer": "https://a.example"])
        let reply = await box.send(.get, "/auth/keys", headers: fields)
        #expect(reply.status == 400)
        #expect(reply["error"] == "invalid_switches")
    }
}
