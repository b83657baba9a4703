import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Requests from the server's machine: by wrk where it is installed, otherwise by a client in this process.
struct Load: Sendable {
    /// How many connections ask at the same time.
    static let connectionCount = 32

    private static let roundSeconds = 3
    private static let requestCount = 6_000

    let url: URL
    let token: String?

    /// How wrk or the client in this process is called in the table.
    static var name: String { wrk == nil ? "client in this process" : "wrk" }

    /// One round: the answers per second, all of which must be successes.
    func measure() async throws -> Double {
        try await round().rate
    }

    /// One round: how many were answered, and how many a second.
    func round() async throws -> (count: Int, rate: Double) {
        guard let wrk = Self.wrk else { return (Self.requestCount, try await measureHere()) }
        return try run(wrk)
    }

    /// One round: the answers per second of a server's processor time.
    func measureProcessor(of server: ServerProcess) async throws -> Double {
        try await server.processorRate { try await round().count }
    }

    private static let wrk: URL? = ["/usr/bin/wrk", "/usr/local/bin/wrk", "/opt/homebrew/bin/wrk"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
        .map { URL(filePath: $0) }

    private func run(_ wrk: URL) throws -> (count: Int, rate: Double) {
        let options = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        return try Self.run(wrk, options, seconds: Self.roundSeconds, url: url)
    }

    /// Posts bodies, each once, for about a second.
    ///
    /// - Parameters:
    ///   - bodies: the bodies; more than can be answered in a second, which is how long wrk sends them.
    ///   - type: what they are.
    ///   - url: where they are sent.
    ///   - connections: how many ask at the same time.
    /// - Returns: how many were answered, and how many a second.
    /// - Throws: when an answer is no success.
    static func post(
        _ bodies: [Data],
        type: String = "application/x-www-form-urlencoded",
        to url: URL,
        connections: Int = connectionCount
    ) async throws -> (count: Int, rate: Double) {
        guard let wrk else {
            return try await postHere(bodies, type: type, to: url, connections: connections)
        }
        let folder = try BenchFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = folder.appending(path: "bodies.lua")
        let list = bodies.map { "[==[" + String(decoding: $0, as: UTF8.self) + "]==]" }
        let text = """
            local bodies = {\(list.joined(separator: ",\n"))}
            local sent = 0
            wrk.headers["Content-Type"] = "\(type)"
            request = function()
              sent = sent + 1
              return wrk.format("POST", nil, nil, bodies[sent] or "none are left")
            end
            """
        try text.write(to: script, atomically: true, encoding: .utf8)
        return try run(wrk, ["-s", script.path], seconds: 1, url: url, connections: connections)
    }

    /// Checks sessions at random from one connection for a second, for which wrk is needed.
    ///
    /// - Parameters:
    ///   - url: where.
    ///   - sessionCount: how many sessions there are, with the tokens of ``ManyAccounts``.
    /// - Returns: answers per second.
    /// - Throws: ``BenchError`` without wrk, or when a response is not a success.
    static func checks(at url: URL, sessionCount: Int) throws -> Double {
        guard let wrk else { throw BenchError("wrk is not installed; run: scripts/setup bench") }
        let folder = try BenchFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = folder.appending(path: "checks.lua")
        let text = """
            math.randomseed(\(UInt32.random(in: 0 ... .max)))
            request = function()
              local digits = string.format("%d", math.random(\(sessionCount)))
              wrk.headers["Authorization"] = "Bearer " .. string.rep("A", 43 - #digits) .. digits
              return wrk.format("GET")
            end
            """
        try text.write(to: script, atomically: true, encoding: .utf8)
        let options = ["-s", script.path]
        return try run(wrk, options, seconds: 1, url: url, connections: 1).rate
    }

    /// Sends the requests of a wrk script, all of which must be refused.
    ///
    /// - Returns: how many were refused a second.
    static func refused(
        _ script: URL,
        _ url: URL,
        _ connections: Int,
        seconds: Int
    ) async throws -> Double {
        guard let wrk else { throw BenchError("wrk is not installed; run: scripts/setup bench") }
        let text = try output(
            of: wrk,
            ["-t1", "-c\(connections)", "-d\(seconds)s", "-s", script.path, url.absoluteString]
        )
        guard let refused = text.firstMatch(of: /Non-2xx or 3xx responses: ([0-9]+)/),
            let all = text.firstMatch(of: /([0-9]+) requests in/),
            let rate = text.firstMatch(of: /Requests\/sec:\s+([0-9.]+)/),
            let refused = Double(refused.1), let all = Double(all.1), let rate = Double(rate.1)
        else { throw BenchError("wrk reported no refusal:\n\(text)") }
        return rate * refused / all
    }

    /// Posts bodies from this process, each once, all of them.
    static func postHere(
        _ bodies: [Data],
        type: String,
        to url: URL,
        connections: Int = connectionCount
    ) async throws -> (count: Int, rate: Double) {
        let perSecond = try await rate(count: bodies.count) {
            try await concurrently(bodies, lanes: connections) { body in
                var request = HTTPClientRequest(url: url.absoluteString)
                request.method = .POST
                request.headers.add(
                    name: "Content-Type",
                    value: type
                )
                request.body = .bytes(ByteBuffer(bytes: body))
                try await send(request, expecting: nil)
            }
        }
        return (bodies.count, perSecond)
    }

    private static func run(
        _ wrk: URL,
        _ options: [String],
        seconds: Int,
        url: URL,
        connections: Int = connectionCount
    ) throws -> (count: Int, rate: Double) {
        let text = try output(
            of: wrk,
            ["-t1", "-c\(connections)", "-d\(seconds)s"] + options + [url.absoluteString]
        )
        guard !text.contains("Non-2xx"), !text.contains("Socket errors"),
            let match = text.firstMatch(of: /Requests\/sec:\s+([0-9.]+)/),
            let rate = Double(match.1),
            let count = text.firstMatch(of: /([0-9]+) requests in/).flatMap({ Int($0.1) })
        else { throw BenchError("wrk reported errors:\n\(text)") }
        return (count, rate)
    }

    private static func output(of wrk: URL, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = wrk
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    private func measureHere() async throws -> Double {
        try await rate(count: Self.requestCount) {
            try await Self.concurrently(Array(repeating: self, count: Self.requestCount)) { load in
                var request = HTTPClientRequest(url: load.url.absoluteString)
                if let token = load.token {
                    request.headers.add(name: "Authorization", value: "Bearer \(token)")
                }
                try await Self.send(request, expecting: 200)
            }
        }
    }

    /// Does something with each element, with so many at the same time.
    static func concurrently<Element: Sendable>(
        _ elements: [Element],
        lanes: Int = connectionCount,
        _ body: @escaping @Sendable (Element) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for index in stride(from: lane, to: elements.count, by: lanes) {
                        try await body(elements[index])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends a request and reads the whole answer.
    @discardableResult
    static func send(_ request: HTTPClientRequest, expecting status: Int?) async throws -> Data {
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        let isExpected = status.map { response.status.code == $0 }
        guard isExpected ?? (200..<300).contains(response.status.code) else {
            throw BenchError(
                "\(request.url) answered \(response.status.code): \(String(buffer: body))"
            )
        }
        return Data(body.readableBytesView)
    }
}
