import AccountsServer
import AppleIdentity
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends requests to the process that has the database open, over its socket.
struct AdministrationClient: Sendable {
    /// The limits of a response, and of one of its lines; a thousand accounts take less.
    private static let limits = JSONLimits(
        maximumByteCount: 8 * 1024 * 1024,
        maximumMemberCount: 64 * 1024
    )
    /// Longer than a backup of a large database takes.
    private static let timeout = TimeAmount.hours(12)

    /// Not the shared client, because that one waits for a missing server on macOS.
    private static let client = HTTPClient(
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
        configuration: .singletonConfiguration
    )

    let socketPath: String
    /// The sealing keys of the settings, which must be the server's; nil when there are none.
    var fingerprints: [String]?

    /// Sends a request, and returns the response's object.
    func send(
        _ method: HTTPMethod,
        _ path: [String],
        query: [String: String] = [:],
        _ body: JSONObject? = nil
    ) async throws -> JSONObject {
        let response = try await response(method, path, query, body)
        let content = try await reading {
            try await response.body.collect(upTo: Self.limits.maximumByteCount)
        }
        let answer = try Self.object(Data(content.readableBytesView))
        guard response.status.code < 400 else { throw Self.refusal(answer) }
        return answer
    }

    /// Sends a request whose handler encrypts secrets.
    func send(
        _ path: [String],
        _ body: JSONObject,
        abandoning keys: [String]
    ) async throws -> JSONObject {
        var body = body
        body["sealingKeys"] = fingerprints.map { .array($0.map { .string($0) }) }
        body["abandon"] = .array(keys.map { .string($0) })
        return try await send(.POST, path, body)
    }

    /// Sends a request whose response has an object on each line.
    ///
    /// Throws the problem of a line that reports one.
    func send(
        _ method: HTTPMethod,
        _ path: [String],
        _ body: JSONObject,
        onLine: (JSONObject) throws -> Void
    ) async throws {
        let response = try await response(method, path, [:], body)
        var rest = Data()
        for try await part in response.body {
            rest.append(contentsOf: part.readableBytesView)
            guard rest.count <= Self.limits.maximumByteCount else { throw Self.unreadable }
            guard response.status.code < 400 else { continue }
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = try Self.object(Data(rest[..<end]))
                rest = Data(rest[rest.index(after: end)...])
                if let problem = line["problem"]?.objectValue { throw Self.refusal(problem) }
                try onLine(line)
            }
        }
        guard response.status.code < 400 else { throw Self.refusal(try Self.object(rest)) }
    }

    private func response(
        _ method: HTTPMethod,
        _ path: [String],
        _ query: [String: String],
        _ body: JSONObject?
    ) async throws -> HTTPClientResponse {
        let fields = query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.percentEncoded)" }
        let address =
            "http+unix://\(socketPath.percentEncoded)/"
            + path.map(\.percentEncoded).joined(separator: "/")
            + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
        var request = HTTPClientRequest(url: address)
        request.method = method
        request.headers.add(name: AdministrationRoutes.administratorField, value: Self.person)
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body.data))
        }
        let prepared = request
        return try await reading { try await Self.client.execute(prepared, timeout: Self.timeout) }
    }

    private func reading<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch {
            throw CommandFailure(
                "the process that has the database open does not respond at \(socketPath)",
                hint: "it may be starting, stopping, or an older version; try again, or stop it"
            )
        }
    }

    /// The user who runs the command, for the logs.
    static var person: String {
        let name = ProcessInfo.processInfo.environment["SUDO_USER"] ?? NSUserName()
        return String(name.prefix(64)).percentEncoded
    }

    private static func object(_ data: Data) throws -> JSONObject {
        guard let object = try? JSONObject(parsing: data, limits: limits) else { throw unreadable }
        return object
    }

    private static let unreadable = CommandFailure(
        "the process that has the database open sent an unreadable response",
        hint: "it may run a different version: update and restart it"
    )

    private static func refusal(_ problem: JSONObject) -> CommandFailure {
        let sentence = problem["detail"]?.stringValue ?? "it was refused"
        let words = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        return CommandFailure(
            TerminalText.line(words.prefix(1).lowercased() + words.dropFirst()),
            hint: problem["hint"]?.stringValue.map(TerminalText.line),
            exitCode: problem["code"]?.stringValue == AdministrationRoutes.parameterCode ? 2 : 1
        )
    }
}
