import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite struct SwitchRouteTests {
    private let control: ControlClient

    init() async throws { control = try await ControlClient() }

    @Test func switchesAreListedSetAndSetBack() async throws {
        let usual = try await control.send(.get, "/switches")
        #expect(usual.status == .ok)
        #expect(usual.object["identity_token_seconds"] == 86_400)
        let set = try await control.send(
            .patch,
            "/switches",
            #"{"identity_token_seconds":600,"throttled_refresh":429}"#
        )
        #expect(set.status == .ok)
        #expect(set.object["identity_token_seconds"] == 600)
        #expect(set.object["throttled_refresh"] == "429")
        let listed = try await control.send(.get, "/switches")
        #expect(listed.object == set.object)
        let reset = try await control.send(.delete, "/switches")
        #expect(reset.object == usual.object)
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
        let deep = try await control.send(.patch, "/switches", body)
        #expect(deep.status == .badRequest && deep.text.contains("nested deeper than 16 levels"))
        for (body, words) in [
            ("{\"a\":1", "it ends too early"), ("[]", "it is no object, at byte 0"),
            ("{\"a\":1,\"a\":2}", "twice"), ("{\"a\":1e999}", "a number is too large"),
        ] {
            let wrong = try await control.send(.patch, "/switches", body)
            #expect(wrong.status == .badRequest && wrong.text.contains(words))
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
