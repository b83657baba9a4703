import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Requests from beside the server: by wrk where it is installed, else by a client in this process.
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
        guard let wrk = Self.wrk else { return try await measureHere() }
        return try measure(with: wrk)
    }

    private static let wrk: URL? = ["/usr/bin/wrk", "/usr/local/bin/wrk", "/opt/homebrew/bin/wrk"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
        .map { URL(filePath: $0) }

    private func measure(with wrk: URL) throws -> Double {
        let process = Process()
        let output = Pipe()
        process.executableURL = wrk
        process.arguments =
            ["-t1", "-c\(Self.connectionCount)", "-d\(Self.roundSeconds)s"]
            + (token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []) + [url.absoluteString]
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        guard !text.contains("Non-2xx"), !text.contains("Socket errors"),
            let match = text.firstMatch(of: /Requests\/sec:\s+([0-9.]+)/),
            let rate = Double(match.1)
        else { throw BenchError("wrk told of errors:\n\(text)") }
        return rate
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

    /// Does something with each element, as many at the same time as there are connections.
    static func concurrently<Element: Sendable>(
        _ elements: [Element],
        _ body: @escaping @Sendable (Element) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<connectionCount {
                group.addTask {
                    for index in stride(from: lane, to: elements.count, by: connectionCount) {
                        try await body(elements[index])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends a request and reads the whole answer.
    @discardableResult
    static func send(_ request: HTTPClientRequest, expecting status: Int) async throws -> Data {
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        guard response.status.code == status else {
            throw BenchError(
                "\(request.url) answered \(response.status.code): \(String(buffer: body))"
            )
        }
        return Data(body.readableBytesView)
    }
}
