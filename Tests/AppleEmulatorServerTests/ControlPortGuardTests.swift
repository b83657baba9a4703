import AppleEmulator
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite final class ControlPortGuardTests: ControlSuite {
    @Test(arguments: [
        "localhost", "LOCALHOST:8082", "apple.localhost:1", "127.0.0.1", "127.0.0.1:8082",
        "127.9.9.9", "[::1]", "[::1]:8082",
    ])
    func namesOfThisMachineAreAccepted(authority: String) { #expect(Loopback.contains(authority)) }

    @Test(arguments: [
        "", "example.com", "localhost.example.com", "127.0.0.1.example.com", "notlocalhost",
        "10.0.0.1", "127.0.0", "127.0.0.256", "[::2]", "[::1", "0.0.0.0", "localhost@example.com",
    ])
    func otherNamesAreNot(authority: String) { #expect(!Loopback.contains(authority)) }

    @Test func aRefusalIsAProblemThatNamesCodeAndField() async throws {
        let answer = try await control.send(.post, "/people", #"{"email":"nobody"}"#)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.headers[.contentType] == "application/problem+json; charset=utf-8")
        #expect(answer.object["type"] == "about:blank")
        #expect(answer.object["title"] == "Unprocessable Content")
        #expect(answer.object["status"] == 422)
        #expect(answer.object["code"] == "wrong_field")
        #expect(answer.object["field"] == "email")
        #expect(answer.object["detail"]?.stringValue?.hasPrefix("email must be") == true)
        let missing = try await control.send(.get, "/nothing")
        #expect(missing.object["code"] == "not_found" && missing.object["field"] == nil)
        #expect(missing.headers[.contentType] == "application/problem+json; charset=utf-8")
    }

    @Test(arguments: [
        ["Origin": "http://example.com"], ["Origin": "null"], ["Origin": "http://localhost:9"],
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
        ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"],
    ])
    func pagesOfOtherOriginsCannotChangeAnything(fields: [String: String]) async throws {
        let answer = try await control.send(.post, "/teams", "{}", fields: fields)
        #expect(answer.status == .forbidden)
        #expect(answer.object["code"] == "cross_site")
    }

    @Test(arguments: [
        ["Origin": "http://localhost"], ["Origin": "https://localhost"],
        ["Sec-Fetch-Site": "same-origin"],
        ["Sec-Fetch-Site": "none"],
    ])
    func itsOwnPagesCan(fields: [String: String]) async throws {
        try await control.send(.post, "/teams", "{}", fields: fields, expecting: .created)
    }

    @Test func aProxyMayEndTLSBeforeIt() async throws {
        let control = try await ControlClient(
            makeEmulator(of: Seed()),
            allowedHosts: ["name-8082.app.github.dev", "127.0.0.1"]
        )
        for (origin, status) in [
            ("https://name-8082.app.github.dev", HTTPResponse.Status.ok),
            ("http://name-8082.app.github.dev:443", .ok),
            ("https://other.app.github.dev", .forbidden), ("https://localhost:3000", .forbidden),
            ("ftp://name-8082.app.github.dev", .forbidden), ("http://127.0.0.1", .forbidden),
            ("http://127.0.0.1:3000", .forbidden),
            ("http://name-8082.app.github.dev:3000", .forbidden),
        ] {
            let answer = try await control.send(.post, "/reset", "{}", fields: ["Origin": origin])
            #expect(answer.status == status, "\(origin)")
        }
    }

    @Test func aLinkFromElsewhereMayBeFollowed() async throws {
        let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
        try await control.send(.get, "/", fields: link, expecting: .ok)
        let image = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"]
        try await control.send(.get, "/state", fields: image, expecting: .forbidden)
    }

    @Test(arguments: ["{", "[]", "\"x\"", "1", "nul", "{\"a\":}", "\u{FEFF}"])
    func brokenJSONIsAnsweredWith400(body: String) async throws {
        let answer = try await control.send(.post, "/teams", body, expecting: .badRequest)
        #expect(answer.object["code"] == "malformed")
    }

    @Test(arguments: [
        #"{"email":"q@example.com","email":"r@example.com"}"#,
        #"{"email":"q@example.com","\u0065mail":"q@example.com"}"#,
        #"{"email":"q@example.com","x":[{"a":1,"b":{},"a":2}]}"#,
    ])
    func doubledMembersAreAnsweredWith400(body: String) async throws {
        let answer = try await control.send(.post, "/people", body, expecting: .badRequest)
        #expect(answer.object["detail"]?.stringValue?.contains("twice") == true)
    }

    @Test func deeplyNestedJSONIsAnsweredWith400() async throws {
        let depth = 20_000
        let body =
            "{\"a\":" + String(repeating: "[", count: depth)
            + String(repeating: "]", count: depth) + "}"
        try await control.send(.post, "/teams", body, expecting: .badRequest)
    }

    @Test func aBodyOverTheLimitIsAnsweredWith413() async throws {
        let text = String(repeating: "a", count: ControlRequest.maximumBodyByteCount)
        let answer = try await control.send(.post, "/teams", "{\"name\":\"\(text)\"}")
        #expect(answer.status == .contentTooLarge)
        #expect(answer.object["code"] == "too_large")
    }

    @Test(arguments: [
        ("PUT", "/teams", "POST"), ("GET", "/people", "POST"), ("POST", "/state", "GET, HEAD"),
        ("PATCH", "/faults", "DELETE, GET, HEAD, POST"),
        ("PUT", "/people/maya@example.com", "DELETE, GET, HEAD, PATCH"),
        ("TRACE", "/requests", "GET, HEAD"),
    ])
    func otherMethodsAreAnsweredWith405(
        method: String,
        path: String,
        allowed: String
    ) async throws {
        let method = try #require(HTTPRequest.Method(method))
        let answer = try await control.send(method, path, expecting: .methodNotAllowed)
        #expect(answer.headers[.allow] == allowed)
    }

    @Test(arguments: ["/nothing", "/people/maya@example.com/nothing", "/state/more"])
    func unknownPathsAreAnsweredWith404InWords(path: String) async throws {
        let answer = try await control.send(.get, path, expecting: .notFound)
        #expect(answer.object["detail"]?.stringValue?.isEmpty == false)
    }

    @Test(arguments: ["/", "/state", "/nothing"])
    func everyAnswerKeepsToItself(path: String) async throws {
        let headers = try await control.send(.get, path).headers
        #expect(headers[.xContentTypeOptions] == "nosniff")
        #expect(headers[.cacheControl] == "no-store")
        #expect(headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
        #expect(headers[.contentType]?.contains("charset=utf-8") == true)
    }

    @Test(arguments: ["/health", "/addresses"])
    func isNotHealthyBeforeEveryPortAnswers(path: String) async throws {
        let answer = try await control.send(.get, path, expecting: .serviceUnavailable)
        #expect(answer.object["code"] == "starting")
    }

    @Test func headIsGetWithoutBody() async throws {
        try await control.send(.head, "/state", expecting: .ok)
    }
}
