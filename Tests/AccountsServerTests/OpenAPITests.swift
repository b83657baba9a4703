import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SignInWithApple
import Testing

@testable import AccountsServer

@Suite("The description of the JSON routes", .timeLimit(.minutes(2)), TestServer.lending)
struct OpenAPITests {
    private let server: TestServer
    init() throws { server = try TestServer.lending.lent.0 }

    /// The methods of each path in the document.
    private static func methods(_ document: JSONObject) -> [String: Set<String>] {
        guard case .object(let paths) = document["paths"] else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: paths.members.map { path in
                guard case .object(let methods) = path.value else { return (path.name, []) }
                return (path.name, Set(methods.members.map { $0.name.uppercased() }))
            }
        )
    }

    private static func document(_ server: TestServer) async throws -> JSONObject {
        let response = try await server.send(.get, "/openapi.json")
        #expect(response.status == .ok)
        return try JSONObject(parsing: Data(response.body.readableBytesView))
    }

    @Test("lists for each path the methods of the router") func methods() async throws {
        let described = Self.methods(try await Self.document(server))
        #expect(described.count > 15)
        for (path, methods) in described {
            let answer = try await server.send(.options, path.replacing("{id}", with: "1"))
            #expect(answer.status == .methodNotAllowed)
            let allowed = answer.headers[.allow]?.split(separator: ", ").map(String.init)
            #expect(Set(allowed ?? []).subtracting(["HEAD"]) == methods, "\(path)")
        }
    }

    @Test("names each operation once, and only schemas that it contains")
    func names() async throws {
        let document = try await Self.document(server)
        let text = String(decoding: JSONValue.object(document).bytes, as: UTF8.self)
            .replacing("\\/", with: "/")
        let ids = text.matches(of: /"operationId":"([A-Za-z]+)"/).map { String($0.1) }
        #expect(ids.count == Self.methods(document).values.map(\.count).reduce(0, +))
        #expect(Set(ids).count == ids.count)
        let named = Set(text.matches(of: /schemas\/([A-Za-z]+)/).map { String($0.1) })
        #expect(named == Set(Schemas.allCases.map(\.rawValue)))
    }

    @Test(
        "states the limits of secrets",
        arguments: [
            ("code", "maxLength", SessionToken.characterCount),
            ("codeVerifier", "minLength", CodeVerifier.counts.lowerBound),
            ("codeVerifier", "maxLength", CodeVerifier.counts.upperBound),
        ]
    )
    func limits(field: String, rule: String, limit: Int) async throws {
        var object = try await Self.document(server)
        let operation = ["paths", "/api/sessions/code", "post", "requestBody"]
        for name in operation + ["content", "application/json", "schema", "properties", field] {
            object = try #require(object[name]?.objectValue)
        }
        #expect(object[rule] == .integer(limit))
    }

    @Test("is a page in both languages, without a script", arguments: ["en", "de"])
    func page(language: String) async throws {
        let response = try await server.send(.get, "/docs", [.acceptLanguage: language])
        let page = String(buffer: response.body)
        #expect(response.status == .ok)
        #expect(page.contains("/api/sessions/apple"))
        #expect(page.contains("recent_sign_in_required"))
        #expect(!page.contains("<script"))
    }

    @Test("A path without parameters has only its own methods") func allowed() async throws {
        let response = try await server.send(.delete, "/api/sessions/apple")
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == "POST")
    }
}
