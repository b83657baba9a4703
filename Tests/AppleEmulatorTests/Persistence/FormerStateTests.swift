import AppleEmulator
import AppleIdentity
import Foundation
import Testing

@Suite("A state of an earlier version")
struct FormerStateTests {
    /// What version 1 wrote before `unruly` became `chaos`, with keys that are made now.
    private static func state(of box: Box) async throws -> Data {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/state-with-former-names.json")
        var object = try StateText(Data(contentsOf: file)).object
        let keys = try StateText(await box.apple.exported()).entries("signing_keys")
        object["signing_keys"] = .array(keys.map { .object($0) })
        return object.data
    }

    @Test("Everything in it is taken back, and written with today's names")
    func everything() async throws {
        let first = try await Box()
        let configuration = EmulatorConfiguration(
            identifierKey: Data(repeating: 7, count: 32),
            chaosSeed: 7
        )
        let box = try await Box(
            importing: try await Self.state(of: first),
            as: first,
            configuration: configuration
        )
        let state = try StateText(await box.apple.exported())
        #expect(state.object["unruly"] == nil)
        let counts: JSONValue = [["endpoint": "/auth/keys", "count": "40"]]
        #expect(state.object["chaos"] == ["seed": "7", "counts": counts])
        #expect(state.object["switches"]?.objectValue?["pkce"] == "required")
        let grant = try #require(state.entries("refresh_tokens").first)
        #expect(grant["switches"] == ["pkce": "required"])
        let user = try await box.credentials()["user"]
        #expect(user == "000123.0123456789abcdef0123456789abcdef.0456")
        #expect(try await box.mailList("sent")[0]["text"] == "Thank you.")
        _ = try await box.apple.add(.person, ["email": "new@example.com"])
        #expect(try await box.mailList("messages", of: "new@example.com").isEmpty)
    }

    @Test("Who had not met a team is to it who they would have been")
    func identity() async throws {
        let first = try await Box()
        let configuration = EmulatorConfiguration(identifierKey: Data(repeating: 7, count: 32))
        let before = try await Box(configuration: configuration)
        var state = try StateText(await Self.state(of: first))
        state = try StateText(state.changing("identities", to: []))
        let after = try await Box(
            importing: state.object.data,
            as: first,
            configuration: configuration
        )
        #expect(try await after.credentials()["user"] == before.credentials()["user"])
    }
}
