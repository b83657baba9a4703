import AppleIdentity
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// The accounts server, as an operator runs it.
@Suite("siwa serve", TemporaryFolder.lending) struct ServeTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    private static let client = "203.0.113.7"

    @Test("SIWA_LOG_FORMAT=json writes one object on each line, from the first to the last")
    func jsonLog() async throws {
        let settings = ["SIWA_LOG_FORMAT": "json", "SIWA_LOG_LEVEL": "debug"]
        try await ServeProcess.with(folder, environment: settings) { serve in
            let answer = try await HTTPCaller(base: serve.server).send("GET", "/nowhere")
            #expect(answer.status == 404)
            #expect(try await serve.program.stop() == 0)
            let lines = try log(of: serve)
            let refused = lines.first { $0["message"] == "refused" }
            #expect(refused?["label"] == "siwa.accounts")
            #expect(refused?["level"]?.stringValue?.isEmpty == false)
            #expect(refused?["metadata"]?.objectValue?["code"] == "not_found")
            for line in lines {
                let time = try #require(line["time"]?.stringValue)
                #expect(time.hasSuffix("Z"), "\(line.text)")
                #expect(line["message"]?.stringValue != nil)
            }
        }
    }

    @Test(
        "X-Forwarded-For counts only on a connection from a trusted proxy",
        arguments: [("127.0.0.1", client), ("192.0.2.0/24", "127.0.0.1"), ("", "127.0.0.1")]
    )
    func trustedProxy(_ proxies: String, _ peer: String) async throws {
        let settings = ["SIWA_LOG_FORMAT": "json", "SIWA_TRUSTED_PROXIES": proxies]
        try await ServeProcess.with(folder, environment: settings) { serve in
            var request = HTTPClientRequest(url: "\(serve.server)/health/live")
            request.headers.add(name: "X-Forwarded-For", value: Self.client)
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
            #expect(response.status.code == 200)
            #expect(try await serve.program.stop() == 0)
            let line = try log(of: serve).first { $0["message"] == "request" }
            #expect(line?["metadata"]?.objectValue?["peer"]?.stringValue == peer)
        }
    }

    @Test(
        "A public URL of https without a trusted proxy gives a warning",
        arguments: [("", true), ("127.0.0.1", false)]
    )
    func missingProxy(_ proxies: String, _ isWarned: Bool) async throws {
        let settings = [
            "SIWA_PUBLIC_URL": "https://juice.example.com", "SIWA_TRUSTED_PROXIES": proxies,
        ]
        try await ServeProcess.with(folder, environment: settings) { serve in
            let exitCode = try await serve.program.stop()
            #expect(exitCode == 0)
            #expect(serve.program.errors.contains("SIWA_TRUSTED_PROXIES is not set") == isWarned)
        }
    }

    @Test("A second process on the same file is refused in one sentence, and the first continues")
    func secondProcess() async throws {
        try await ServeProcess.with(folder) { serve in
            let second = try ServeProcess.start(folder)
            defer { second.end() }
            #expect(try await second.finish() == 1)
            #expect(second.output.isEmpty)
            let lines = second.errors.split(separator: "\n")
            #expect(lines.count <= 2, "\(second.errors)")
            #expect(lines.first?.contains("open in another process") == true)
            let answer = try await HTTPCaller(base: serve.server).send("GET", "/health/ready")
            #expect(answer.status == 200)
        }
    }

    private func log(of serve: ServeProcess) throws -> [JSONObject] {
        try serve.program.errors.split(separator: "\n")
            .map { line in
                let object = try? JSONObject(parsing: Data(line.utf8))
                return try #require(object, "not an object: \(line)")
            }
    }
}
