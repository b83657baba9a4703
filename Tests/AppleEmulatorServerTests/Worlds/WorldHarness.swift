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
    static let sheet =
        "/auth/authorize?client_id=com.example.juice.web&response_type=code"
        + "&response_mode=form_post&scope=email&redirect_uri=" + callback

    let worlds: Worlds
    let control: ControlClient
    private let answers: WorldAnswers

    init(time: TimeSource = .live) async throws {
        let renderer = try EmulatorPageRenderer()
        let unnamed = try await makeEmulator(of: .demo(redirectURIs: [Self.callback]))
        worlds = Worlds(unnamed: unnamed, time: time)
        let apple = try #require(URL(string: "http://127.0.0.1:8081"))
        let console = try #require(URL(string: "http://127.0.0.1:8082"))
        let port = ControlPort(worlds: worlds, renderer: renderer) {
            EmulatorAddresses(apple: apple, control: console, smtp: "127.0.0.1:8025")
        }
        let client = try await Application(responder: port.responder).test(.router) { $0 }
        control = ControlClient(client: client)
        answers = WorldAnswers(worlds: worlds, renderer: renderer, console: { console })
    }

    /// A request to Apple's port.
    func apple(
        _ method: HTTPRequest.Method,
        _ path: String,
        form: [String: String] = [:],
        fields: HTTPFields = [:],
        authority: String = "127.0.0.1:8081"
    ) async -> EmulatorAnswer {
        var request = HTTPRequest(
            method: method,
            scheme: "http",
            authority: authority,
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

    /// Creates worlds.
    func make(_ names: String...) async throws {
        for name in names {
            try await control.post("/worlds", ["world": .string(name)], expecting: .created)
        }
    }

    static func path(of world: String?) -> String { world.map { "/w/" + $0 } ?? "" }

    /// An answer of the control port in a world; the unnamed one with nil.
    func ask(_ path: String, in world: String?) async throws -> JSONObject {
        let answer = try await control.send(.get, Self.path(of: world) + path)
        #expect(answer.status == .ok, "\(answer.text)")
        return answer.object
    }

    /// Posts an object to the control port in a world.
    @discardableResult
    func post(
        _ path: String,
        _ object: JSONObject,
        in world: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONObject {
        let answer = try await control.send(.post, Self.path(of: world) + path, object.text)
        #expect(answer.status.kind == .successful, "\(answer.text)", sourceLocation: sourceLocation)
        return answer.object
    }

    /// The paths of the requests that a world has seen.
    func paths(in world: String?) async throws -> [String] {
        (try await ask("/requests", in: world)["requests"]?.arrayValue ?? [])
            .compactMap { $0.objectValue?["path"]?.stringValue }
    }

    func world(_ name: String) throws -> World {
        let worldName = try #require(WorldName(name))
        return try #require(worlds.world(worldName))
    }

    func credential(in world: String?, _ changes: JSONObject = [:]) async throws -> JSONObject {
        let request: JSONObject = ["client_id": .string(Self.app)]
        let path = "/people/\(Self.person)/credentials"
        return try await post(path, request.merging(changes), in: world)
    }
}
