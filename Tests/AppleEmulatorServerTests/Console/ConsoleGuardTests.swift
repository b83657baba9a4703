import AppleEmulator
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite final class ConsoleGuardTests: ConsoleSuite {
    private static let person = [("email", "new@example.com")]

    @Test(arguments: [
        [:], ["Origin": "http://example.com"], ["Origin": "null"],
        ["Origin": "http://localhost:9"], ["Sec-Fetch-Site": "cross-site"],
        ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "none"],
        ["Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"],
    ])
    func formsOfOtherSitesDoNothing(header: [String: String]) async throws {
        let answer = try await visitor.post("/console/people", Self.person, header: header)
        #expect(answer.status == .forbidden)
        let page = try await visitor.open("/console/people")
        #expect(!page.contains("new@example.com"))
    }

    @Test(arguments: [["Origin": "http://localhost"], ["Sec-Fetch-Site": "same-origin"]])
    func formsOfItsOwnPagesAreTaken(header: [String: String]) async throws {
        try await visitor.post("/console/people", Self.person, header: header, expecting: .seeOther)
    }

    @Test(arguments: ["text/plain", "application/json", "multipart/form-data; boundary=x", ""])
    func onlyFormsAreTaken(type: String) async throws {
        let answer = try await send("email=new%40example.com", type: type)
        #expect(answer.status == .unsupportedMediaType)
        #expect(answer.text.contains("<h1>"))
    }

    @Test(arguments: [
        "email=%", "email=%zz", "email=%ff", "email=a&email=b",
        String(repeating: "a=b&", count: 65),
    ])
    func brokenFormsAreRefusedInWords(body: String) async throws {
        let answer = try await send(body, type: "application/x-www-form-urlencoded")
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains("The form "))
    }

    private func send(_ body: String, type: String) async throws -> ControlClient.Answer {
        let fields = ["Origin": "http://localhost", "Content-Type": type]
        return try await visitor.control.send(.post, "/console/people", body, fields: fields)
    }

    @Test func aFormOverTheLimitIsRefused() async throws {
        let text = String(repeating: "a", count: ControlRequest.maximumBodyByteCount)
        try await visitor.post("/console/people", [("email", text)], expecting: .contentTooLarge)
    }

    @Test(arguments: [
        ("PUT", "/console/people", "GET, HEAD, POST"), ("DELETE", "/", "GET, HEAD"),
        ("POST", "/console/requests", "GET, HEAD"), ("PATCH", "/console/inbox/1", "GET, HEAD"),
    ])
    func otherMethodsAreAnsweredWith405(
        method: String,
        path: String,
        allowed: String
    ) async throws {
        let method = try #require(HTTPRequest.Method(method))
        let answer = try await visitor.control.send(method, path, expecting: .methodNotAllowed)
        #expect(answer.headers[.allow] == allowed)
    }

    @Test(arguments: [
        "/console/nothing", "/console/people/nobody@example.com", "/console/people/%FF",
        "/console/inbox/7", "/console/inbox/x",
    ])
    func whatIsNotThereIsAPageToo(path: String) async throws {
        let page = try await visitor.open(path, expecting: .notFound)
        #expect(page.contains("<h1>Not found</h1>"))
        #expect(page.contains("class=\"button\" href=\"/"))
    }
}
