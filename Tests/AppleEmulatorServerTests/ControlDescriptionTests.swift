import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite("The description of the control port") final class ControlDescriptionTests: ControlSuite {
    /// The operations of the document by path and method.
    private static func paths(_ control: ControlClient) async throws -> [String: JSONObject] {
        let answer = try await control.send(.get, "/openapi.json", expecting: .ok)
        #expect(answer.object["openapi"] == "3.1.0")
        let paths = try #require(answer.object["paths"]?.objectValue)
        return Dictionary(
            uniqueKeysWithValues: paths.members.map { ($0.name, $0.value.objectValue ?? [:]) }
        )
    }

    private static func filled(_ path: String) -> String {
        path.replacing("{email}", with: "maya@example.com").replacing("{id}", with: "1")
            .replacing("{client_id}", with: "com.example.juice")
            .replacing("{key_id}", with: "JUICEKEY01").replacing("{team_id}", with: "JUICETEAM1")
            .replacing("{name}", with: "a")
    }

    @Test("has the router's methods, each with a unique name") func methods() async throws {
        let paths = try await Self.paths(control)
        #expect(paths.count > 25)
        for (path, operations) in paths {
            let answer = try await control.send(.options, Self.filled(path))
            #expect(answer.status == .methodNotAllowed, "\(path)")
            let allowed = (answer.headers[.allow] ?? "").split(separator: ", ").map(String.init)
            let described = operations.names.map { $0.uppercased() }
            #expect(Set(allowed).subtracting(["HEAD"]) == Set(described), "\(path)")
        }
        let ids = paths.values.flatMap { operations in
            operations.members.compactMap { $0.value.objectValue?["operationId"]?.stringValue }
        }
        #expect(Set(ids).count == ids.count)
        #expect(ids.count == paths.values.map(\.members.count).reduce(0, +))
    }

    @Test("An unknown method is refused like others") func otherMethod() async throws {
        let method = try #require(HTTPRequest.Method(rawValue: "QUERY"))
        let known = try await control.send(method, "/clock", expecting: .methodNotAllowed)
        #expect(known.headers[.allow] == "POST")
        #expect(try await control.send(method, "/clocks").status == .notFound)
    }

    @Test("names the schemas that it has") func names() async throws {
        let text = try await control.send(.get, "/openapi.json").text.replacing("\\/", with: "/")
        let named = Set(text.matches(of: /schemas\/([A-Za-z]+)/).map { String($0.1) })
        #expect(named == Set(ControlSchemas.allCases.map(\.rawValue)))
    }

    @Test("names the fields that each body may have, and no others") func fields() async throws {
        try await control.post("/people", ["email": "maya@example.com"], expecting: .created)
        for (path, operations) in try await Self.paths(control) where path != "/import" {
            for operation in operations.members {
                let object = try #require(operation.value.objectValue)
                guard let body = object["requestBody"]?.objectValue else { continue }
                let method = try #require(HTTPRequest.Method(rawValue: operation.name.uppercased()))
                let answer = try await control.send(method, Self.filled(path), #"{"zzz":1}"#)
                #expect(answer.status == .unprocessableContent, "\(path): \(answer.text)")
                #expect(answer.object["field"] == "zzz", "\(path)")
                #expect(Self.known(answer) == Set(Self.properties(body)?.names ?? []), "\(path)")
            }
        }
    }

    @Test("says the limits of each field") func limits() async throws {
        let team = try #require(try await Self.paths(control)["/teams"]?["post"]?.objectValue)
        let properties = try #require(Self.properties(team["requestBody"]?.objectValue ?? [:]))
        #expect(properties["name"]?.objectValue?["maxLength"] == 512)
        #expect(properties["team_id"]?.objectValue?["pattern"] == "^[A-Z0-9]{10}$")
        let too: JSONObject = ["name": .string(String(repeating: "n", count: 513))]
        try await control.post("/teams", too, expecting: .unprocessableContent)
    }

    /// The fields that a refusal says are known.
    private static func known(_ answer: ControlClient.Answer) -> Set<String> {
        let sentence = answer.object["detail"]?.stringValue ?? ""
        guard let list = sentence.firstMatch(of: /known fields: (.+)$/)?.1 else { return [] }
        return Set(list.split(separator: ", ").map(String.init))
    }

    private static func properties(_ body: JSONObject) -> JSONObject? {
        let content = body["content"]?.objectValue?["application/json"]?.objectValue
        return content?["schema"]?.objectValue?["properties"]?.objectValue
    }
}
