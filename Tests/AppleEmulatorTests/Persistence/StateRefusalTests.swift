import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@Suite("A state that can't be used") struct StateRefusalTests {
    private static let mistakes:
        [(section: String, name: String, value: JSONValue?, words: String)] = [
            ("signing_keys", "private_key_pem", "none", "2048 bits"),
            ("teams", "team_id", 7, "must be a string"),
            ("apps", "team_id", "UNKNOWN001", "not a registered team"),
            ("services", "primary_client_id", "com.example.none", "not a registered app"),
            ("keys", "private_key_pem", "none", "private key"),
            ("keys", "primary_client_id", "com.example.none", "not a registered app"),
            ("mail_sources", "domain", 7, "must be a string"),
            ("organizations", "organization_id", 7, "must be a string"),
            ("people", "email", 7, "must be a string"), ("people", "id", 99, "last_person_id"),
            ("people", "forward_to", "a@example.net", "not an email address of this account"),
            ("people", "shoe_size", 42, "not a known field"),
            ("identities", "person_id", 99, "not the ID of a person"),
            ("identities", "team_id", "UNKNOWN001", "not a registered team"),
            ("consents", "person_id", 99, "not the ID of a person"),
            ("consents", "client_id", "com.example.none", "not a registered app"),
            ("consents", "granted_at", "yesterday", "must be a time"),
            ("consents", "email", "perhaps", "must be"),
            ("former_consents", "person_id", nil, "is missing"),
            ("codes", "client_id", "com.example.none", "not a registered app"),
            ("codes", "code", nil, "is missing"),
            ("access_tokens", "issued_at", 5, "must be a time"),
            ("refresh_tokens", "person_id", "maya", "whole number"),
            ("refresh_tokens", "team_id", "UNKNOWN001", "not a registered team"),
            ("refreshes", "times", [7], "list of times"),
            ("transfers", "to_team", "UNKNOWN001", "not a registered team"),
            ("transfer_subjects", "person_id", 99, "not the ID of a person"),
            ("migration_tokens", "team_id", "UNKNOWN001", "not a registered team"),
            ("browser_sessions", "people", [["person_id": 99]], "not the ID of a person"),
            ("browser_sessions", "people", [], "1 to 8"),
            ("authorizations_next", "person", "x@example.net", "a known user"),
            ("faults", "endpoint", "kettle", "must be one of"),
            ("faults", "generator_state", 7, "whole number in quotes"),
            ("notifications", "state", "lost", "must be pending"),
            ("notifications", "number", 99, "last_notification_number"),
            ("notifications", "malformed", "nicely", "must be one of"),
            ("mail", "raw", nil, "is missing"),
            ("mail", "envelope_sender", "nobody", "email address"),
            ("sent_mail", "state", "lost", "must be kept"),
            ("mail_bounces", "smtp_code", 1, "from 200 to 599"),
            ("mail_aliases", "alias", "nobody", "email address"),
            ("mail_counts", "count", -1, "whole number"),
        ]

    @Test("Each mistake is named, and nothing changes", arguments: mistakes)
    func mistake(section: String, name: String, value: JSONValue?, words: String) async throws {
        let state = try StateText(await LivedIn.shared.value)
        let refusal = try await refusal(of: state.changing(section, 0, name, to: value))
        #expect(refusal.field?.hasPrefix("\(section)[0].\(name)") == true, "\(refusal)")
        #expect(refusal.message.hasPrefix("in \(section)[0]: "))
        #expect(refusal.message.contains(words), "\(refusal.message)")
    }

    @Test(
        "A repeated entry is refused",
        arguments: [
            ("teams", "team_id"), ("apps", "client_id"), ("services", "client_id"),
            ("keys", "key_id"),
            ("signing_keys", "key_id"), ("people", "id"), ("identities", "user"),
            ("consents", "client_id"), ("codes", "code"), ("access_tokens", "token"),
            ("refresh_tokens", "token"), ("transfer_subjects", "transfer_sub"),
            ("migration_tokens", "token"), ("browser_sessions", "session"),
            ("notifications", "number"), ("mail_aliases", "relay_and_sender"),
        ]
    )
    func twice(section: String, name: String) async throws {
        let state = try StateText(await LivedIn.shared.value)
        let entries = state.entries(section).map { JSONValue.object($0) }
        let duplicated = state.changing(section, to: .array(entries + entries.prefix(1)))
        let refusal = try await refusal(of: duplicated)
        #expect(refusal.field == "\(section)[\(entries.count)].\(name)", "\(refusal)")
    }

    @Test(
        "What is no list, no object or not known is refused",
        arguments: [
            ("people", "maya", "people"), ("people", [7], "people[0]"), ("kettles", [], "kettles"),
            ("clock", ["offset_seconds": .number(1e12)], "clock.offset_seconds"),
            ("clock", ["offset_seconds": "far"], "clock.offset_seconds"),
            ("switches", ["token_type": "JWT"], "switches.token_type"),
            ("notification_settings", ["duplicates": -1], "notification_settings.duplicates"),
            ("transfer_identifier_key", "no base64!", "transfer_identifier_key"),
            ("signing_keys", [], "signing_keys"),
            ("last_person_id", "many", "last_person_id"),
        ] as [(String, JSONValue, String)]
    )
    func sections(section: String, value: JSONValue, field: String) async throws {
        let state = try StateText(await LivedIn.shared.value)
        let refusal = try await refusal(of: state.changing(section, to: value))
        #expect(refusal.field == field, "\(refusal)")
    }

    @Test(
        "Numbers without a successor are refused",
        arguments: [Int.max, 1 << 53 + 1, -1, Int.min],
        ["last_person_id", "last_notification_number", "last_mail_number"]
    )
    func counters(number: Int, section: String) async throws {
        let state = try StateText(await LivedIn.shared.value)
        let refusal = try await refusal(of: state.changing(section, to: .integer(number)))
        #expect(refusal.field == section, "\(refusal)")
    }

    @Test("An emulator with the highest numbers continues") func highestCounters() async throws {
        let lived = try await LivedIn()
        var state = try StateText(await lived.box.apple.exported())
        #expect(state.object["faults"]?.text.contains("generator_state") == true)
        for section in ["last_person_id", "last_notification_number", "last_mail_number"] {
            state = try StateText(state.changing(section, to: .integer(1 << 53)))
        }
        let box = try await Box(importing: state.object.data, as: lived.box)
        _ = await box.send(.get, "/auth/keys")
        _ = try await box.apple.add(.person, ["email": "new@example.com"])
        try await box.notify()
        await box.mail(to: ["new@example.com"])
        #expect(try await box.mailList("messages", of: "new@example.com").count == 1)
    }

    @Test(
        "Times are those of a calendar with four digits",
        arguments: [
            "99999-01-01T00:00:00Z", "+292277026596-12-04T15:30:07Z", "0000-00-00T00:00:00Z",
            "-0001-01-01T00:00:00Z", "2026-01-01T00:00:00.1234Z", "2026-01-01",
        ]
    )
    func times(text: String) async throws {
        let state = try StateText(await LivedIn.shared.value)
        let wrong = state.changing("consents", 0, "granted_at", to: .string(text))
        #expect(try await refusal(of: wrong).field == "consents[0].granted_at")
    }

    @Test(
        "Another format, another version and other files have their own errors",
        arguments: [
            ("{}", "not an emulator state"), ("[]", "not an emulator state"),
            ("{\"format\": \"something\", \"version\": 1}", "not an emulator state"),
            ("{\"format\": \"siwa-emulator\", \"version\": 2}", "version is 2"),
            ("{\"format\": \"siwa-emulator\"}", "version is missing"),
            ("", "line 1: it ends too early"), ("teams:\n  - a", "line 1: "),
            ("{\"format\":\n\"siwa-emulator\",\n", "line 3: it ends too early"),
        ]
    )
    func unknownFormat(text: String, words: String) async throws {
        let refusal = try await refusal(of: Data(text.utf8))
        #expect(refusal.kind == .malformed)
        #expect(refusal.message.contains(words), "\(refusal.message)")
        await #expect(throws: SeedError.self) {
            try await AppleEmulator(importing: Data(text.utf8))
        }
    }

    @Test("A state that was cut off anywhere is refused") func truncated() async throws {
        let state = try await LivedIn.shared.value
        let box = try await Box()
        for count in stride(from: 1, to: state.count - 2, by: state.count / 40) {
            await #expect(throws: ControlRefusal.self) {
                try await box.apple.importState(state.prefix(count))
            }
        }
    }

    /// The error of an import, after which the state is unchanged.
    private func refusal(of state: Data) async throws -> ControlRefusal {
        let box = try await Box()
        _ = try await box.signInOnTheWeb()
        let before = await box.apple.exported()
        let refusal = try #require(
            await #expect(throws: ControlRefusal.self) { try await box.apple.importState(state) }
        )
        #expect(await box.apple.exported() == before)
        return refusal
    }
}

extension LivedIn {
    /// One state for all tests that only read it.
    fileprivate static let shared = Task { try await LivedIn().box.apple.exported() }
}
