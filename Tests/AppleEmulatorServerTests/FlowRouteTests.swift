import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite("The control port's flows") final class FlowRouteTests: ControlSuite {
    private static let browser = [
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    ]

    /// Registers an app and a person, who signs in on a device; the flow's identifier.
    private func signIn(_ control: ControlClient) async throws -> String {
        try await control.register(["email": "maya@example.com"])
        try await control.post(
            "/people/maya%40example.com/credentials",
            ["client_id": "com.example.juice", "scopes": ["email"]],
            expecting: .created
        )
        let flows = try await control.send(.get, "/flows").object["flows"]?.arrayValue
        return try #require(flows?.last?.objectValue?["id"]?.stringValue)
    }

    @Test("Tools get JSON, browsers pages") func representations() async throws {
        #expect(try await control.send(.get, "/flows").object["flows"] == [])
        let id = try await signIn(control)
        let flow = try await control.send(.get, "/flows/\(id)", expecting: .ok)
        #expect(flow.object["app"] == "Juice")
        #expect(flow.object["steps"]?.arrayValue?.count == 1)
        let list = try await control.send(.get, "/flows", fields: Self.browser)
        #expect(list.text.contains("href=\"/flows/\(id)\""))
        let page = try await control.send(.get, "/flows/\(id)", fields: Self.browser)
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.text.contains("requests authorization on the device"))
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'sha256-"))
        #expect(!policy.contains("unsafe"))
    }

    @Test("A flow is also one file to keep") func file() async throws {
        let id = try await signIn(control)
        let file = try await control.send(.get, "/flows/\(id).html", expecting: .ok)
        let name = "attachment; filename=\"sign-in-\(id).html\""
        #expect(file.headers[.contentDisposition] == name)
        #expect(!file.text.contains("<script"))
        #expect(file.text.contains("identity_token"))
    }

    @Test(
        "An unknown flow is not found, in JSON",
        arguments: ["/flows/x", "/flows/000000000000", "/flows/000000000000.html", "/flows/.html"]
    )
    func unknown(path: String) async throws {
        for fields in [[:], Self.browser] {
            let answer = try await control.send(.get, path, fields: fields, expecting: .notFound)
            #expect(answer.object["code"] == "not_found")
        }
    }

    @Test("Flows are read-only", arguments: ["/flows", "/flows/x", "/flows/x.html"])
    func methods(path: String) async throws {
        for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
            let answer = try await control.send(method, path, expecting: .methodNotAllowed)
            #expect(answer.headers[.allow] == "GET, HEAD")
        }
    }

    @Test("A reset deletes flows") func reset() async throws {
        let id = try await signIn(control)
        try await control.post("/reset", [:], expecting: .ok)
        #expect(try await control.send(.get, "/flows/\(id)").status == .notFound)
    }

    @Test(
        "A client that accepts HTML at least as much as JSON gets a page",
        arguments: [
            ([], false), (["*/*"], false), (["application/json"], false), (["text/html"], true),
            (["text/html;q=0"], false), (["application/json, text/html;q=0.5"], false),
            (["application/json;q=0.5", "TEXT/HTML; q=0.8"], true), (["text/html;q=x"], false),
            ([",;,"], false),
        ]
    )
    func accepted(fields: [String], prefersPage: Bool) {
        #expect(AcceptedTypes(fields).prefersPage == prefersPage)
    }
}
