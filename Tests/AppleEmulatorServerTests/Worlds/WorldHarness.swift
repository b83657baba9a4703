import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import AppleEmulatorServer

/// Both ports of an emulator with its worlds, without sockets.
struct WorldHarness: Sendable {
    static let callback = "http://localhost:8080/sign-in/apple/callback"
    static let person = "maya@example.com"
    static let app = "com.example.juice"

    let worlds: Worlds
    let control: ControlClient
    private let answers: WorldAnswers

    init(time: TimeSource = .live) async throws {
        let renderer = try EmulatorPageRenderer()
        let unnamed = try await makeEmulator(of: .demo(redirectURIs: [Self.callback]))
        worlds = Worlds(unnamed: unnamed, time: time)
        let responder = WorldControl(
            worlds: worlds,
            renderer: renderer,
            allowedHosts: [],
            addresses: { nil }
        )
        let client = try await Application(responder: responder).test(.router) { $0 }
        control = ControlClient(client: client)
        answers = WorldAnswers(
            worlds: worlds,
            renderer: renderer,
            console: { URL(string: "http://127.0.0.1:8082") }
        )
    }

    /// A request to Apple's port.
    func apple(
        _ method: HTTPRequest.Method,
        _ path: String,
        form: [String: String] = [:],
        fields: HTTPFields = [:]
    ) async -> EmulatorAnswer {
        var request = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "127.0.0.1",
            path: path,
            headerFields: fields
        )
        var body = URLComponents()
        body.queryItems = form.map { URLQueryItem(name: $0.key, value: $0.value) }
        if method == .post {
            request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        }
        return await answers.answer(request, .success(Data((body.percentEncodedQuery ?? "").utf8)))
    }

    /// The same with header fields by their names.
    func apple(
        _ method: HTTPRequest.Method,
        _ path: String,
        named fields: [String: String]
    ) async -> EmulatorAnswer {
        var all = HTTPFields()
        for (name, value) in fields { HTTPField.Name(name).map { all[$0] = value } }
        return await apple(method, path, fields: all)
    }

    /// An answer of the control port in a world; the unnamed one with nil.
    func ask(_ path: String, in world: String?) async throws -> JSONObject {
        let answer = try await control.send(.get, path, fields: Self.fields(of: world))
        #expect(answer.status == .ok, "\(answer.text)")
        return answer.object
    }

    private static func fields(of world: String?) -> [String: String] {
        world.map { ["Siwa-World": $0] } ?? [:]
    }

    /// Posts an object to the control port in a world.
    @discardableResult
    func post(
        _ path: String,
        _ object: JSONObject,
        in world: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONObject {
        let fields = Self.fields(of: world)
        let answer = try await control.send(.post, path, object.text, fields: fields)
        #expect(answer.status.kind == .successful, "\(answer.text)", sourceLocation: sourceLocation)
        return answer.object
    }

    /// The paths of the requests that a world has seen.
    func paths(in world: String?) async throws -> [String] {
        (try await ask("/requests", in: world)["requests"]?.arrayValue ?? [])
            .compactMap { $0.objectValue?["path"]?.stringValue }
    }

    /// The emulator of an existing world.
    func emulator(_ name: String) async throws -> AppleEmulator {
        let worldName = try #require(WorldName(name))
        return try #require(await worlds.existing(worldName)).emulator
    }

    /// A code that a device got in a world.
    func code(in world: String?) async throws -> String {
        let credential = try await credential(in: world)
        return try #require(credential["authorization_code"]?.stringValue)
    }

    func credential(in world: String?, _ changes: JSONObject = [:]) async throws -> JSONObject {
        let request: JSONObject = ["client_id": .string(Self.app)]
        let path = "/people/\(Self.person)/credentials"
        return try await post(path, request.merging(changes), in: world)
    }
}
