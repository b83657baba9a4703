import AppleEmulator
import HTTPTypes
import Testing

@Suite final class StateRouteTests: ControlSuite {
    @Test func theStateIsExportedAndImported() async throws {
        try await control.post("/teams", ["team_id": "TEAM123456"], expecting: .created)
        let exported = try await control.send(.get, "/export", expecting: .ok)
        #expect(exported.headers[.contentType] == "application/json")
        #expect(exported.headers[.cacheControl] == "no-store")
        #expect(exported.text.hasPrefix("{\n\"format\": \"siwa-emulator\",\n\"version\": 1,\n"))
        try await control.post("/reset", [:], expecting: .ok)
        let imported = try await control.send(.post, "/import", exported.text, expecting: .ok)
        #expect(imported.object["teams"] == [["team_id": "TEAM123456"]])
        #expect(try await control.send(.get, "/export").text == exported.text)
    }

    @Test(
        arguments: [
            ("", HTTPResponse.Status.badRequest, "malformed", nil),
            ("teams: []", .badRequest, "malformed", nil), ("{}", .badRequest, "malformed", nil),
            ("{\"format\":\"siwa-emulator\",\"version\":9}", .badRequest, "malformed", nil),
            (
                "{\"format\":\"siwa-emulator\",\"version\":1}", .unprocessableContent,
                "wrong_field", "signing_keys"
            ),
            (
                "{\"format\":\"siwa-emulator\",\"version\":1,\"x\":1}", .unprocessableContent,
                "unknown_field", "x"
            ),
        ] as [(String, HTTPResponse.Status, String, String?)]
    )
    func whatIsNoStateIsRefused(
        body: String,
        status: HTTPResponse.Status,
        error: String,
        field: String?
    ) async throws {
        try await control.post("/teams", ["team_id": "TEAM123456"], expecting: .created)
        let before = try await control.send(.get, "/export")
        let answer = try await control.send(.post, "/import", body)
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.object["code"] == .string(error))
        #expect(answer.object["field"]?.stringValue == field)
        #expect(answer.object["detail"]?.stringValue?.isEmpty == false)
        #expect(try await control.send(.get, "/export").text == before.text)
    }

    @Test func aStateThatSaysItIsTooLargeIsNotRead() async throws {
        let answer = try await control.send(
            .post,
            "/import",
            fields: ["Content-Length": String(AppleEmulator.maximumStateByteCount + 1)]
        )
        #expect(answer.status == .contentTooLarge)
        #expect(answer.object["code"] == "too_large")
    }

    @Test(arguments: [(HTTPRequest.Method.post, "/export", "GET, HEAD"), (.get, "/import", "POST")])
    func otherMethodsAreRefused(method: HTTPRequest.Method, path: String, allowed: String)
        async throws
    {
        let answer = try await control.send(method, path, expecting: .methodNotAllowed)
        #expect(answer.headers[.allow] == allowed)
    }

    @Test func pagesOfOtherOriginsReadAndReplaceNothing() async throws {
        let origin = ["Origin": "https://evil.example.com"]
        for (method, path) in [
            (HTTPRequest.Method.get, "/export"), (.post, "/import"), (.get, "/flows"),
        ] {
            #expect(try await control.send(method, path, fields: origin).status == .forbidden)
        }
    }
}
