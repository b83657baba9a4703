import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AppleEmulatorServer

/// Speaks to a control port without a socket.
struct ControlClient {
    struct Answer {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let text: String

        /// The body's members; empty if it is not a JSON object.
        var object: JSONObject { (try? JSONValue(parsing: Data(text.utf8)))?.objectValue ?? [:] }
    }

    let client: any TestClientProtocol

    /// Sends a request, and expects a status if one is given.
    @discardableResult
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        fields: [String: String] = [:],
        expecting status: HTTPResponse.Status? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        var headers = HTTPFields()
        for (text, value) in fields { headers[try #require(HTTPField.Name(text))] = value }
        let response = try await client.executeRequest(
            uri: path,
            method: method,
            headers: headers,
            body: body.map { ByteBuffer(string: $0) }
        )
        let text = String(buffer: response.body)
        if let status {
            #expect(response.status == status, "\(text)", sourceLocation: sourceLocation)
        }
        return Answer(status: response.status, headers: response.headers, text: text)
    }

    /// Posts an object, expects this status, and answers the body's members.
    @discardableResult
    func post(
        _ path: String,
        _ object: JSONObject,
        expecting status: HTTPResponse.Status,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONObject {
        try await send(
            .post,
            path,
            object.text,
            expecting: status,
            sourceLocation: sourceLocation
        ).object
    }

    /// Registers a team with an app, and people.
    func register(_ people: JSONObject...) async throws {
        let team: JSONObject = ["team_id": "TEAM123456", "name": "Juice Makers"]
        try await post("/teams", team, expecting: .created)
        let app: JSONObject = [
            "client_id": "com.example.juice", "team_id": "TEAM123456", "name": "Juice",
        ]
        try await post("/apps", app, expecting: .created)
        for person in people { try await post("/people", person, expecting: .created) }
    }
}

extension ControlClient {
    /// Speaks to the control port of an emulator.
    init(
        _ emulator: AppleEmulator,
        allowedHosts: [String] = [],
        addresses: @escaping @Sendable () -> EmulatorAddresses? = { nil }
    ) async throws {
        let port = ControlPort(
            worlds: Worlds(unnamed: emulator),
            renderer: try EmulatorPageRenderer(),
            allowedHosts: allowedHosts,
            addresses: addresses
        )
        client = try await Application(responder: port.responder).test(.router) { $0 }
    }

    /// Speaks to the control port of a fresh emulator.
    init() async throws { try await self.init(makeEmulator(of: Seed())) }
}

/// An emulator with keys that all tests share.
func makeEmulator(of seed: Seed, time: TimeSource = .live) async throws -> AppleEmulator {
    try AppleEmulator(
        seed: seed,
        configuration: EmulatorConfiguration(),
        time: time,
        signingKeys: try await signingKeys.value
    )
}

/// Made once for all tests: making RSA keys takes most of an emulator's start.
let signingKeys = Task { try await EmulatorSigningKey.make(count: 3) }

/// A suite whose tests each have a control port of their own.
class ControlSuite {
    let control: ControlClient

    init() async throws { control = try await ControlClient() }
}
