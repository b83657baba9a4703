import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import StrictHTTP

/// `siwa health`: the health check of a container, whose image has no other HTTP client.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Check whether a running server is healthy; exits with 1 if it is not.",
        discussion: """
            The emulator responds to /health on its control port, the accounts server to /health/ready.
            """
    )

    private static let maximumSeconds = 60

    private static let maximumBodyByteCount = 4_096

    /// Follows no redirect, because a health check is about the server at the URL itself.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            configuration: configuration
        )
    }()

    @Argument(help: "The health URL.") var url = "http://127.0.0.1:8082/health"

    @Option(help: "How long to wait for the response, in seconds.") var timeout = 5

    func validate() throws {
        guard URL(server: url) != nil else {
            throw ValidationError("\(url.debugDescription) is not an http or https URL")
        }
        guard (1...Self.maximumSeconds).contains(timeout) else {
            throw ValidationError("--timeout must be 1 to \(Self.maximumSeconds) seconds")
        }
    }

    func run() async throws {
        let (status, body) = try await answer()
        guard status == 200 else {
            let reason = body.isEmpty ? "" : ": \(TerminalText.line(body))"
            throw CommandFailure(
                "\(url) responds with \(status)\(reason)",
                hint: status == 503
                    ? "read the reason in the server's log"
                    : "give the URL of a health check; siwa health --help has them"
            )
        }
        Terminal().write("healthy")
    }

    private func answer() async throws -> (status: UInt, body: String) {
        do {
            let answer = try await Self.client.execute(
                HTTPClientRequest(url: url),
                timeout: .seconds(Int64(timeout))
            )
            var body = Data()
            for try await part in answer.body {
                body.append(contentsOf: part.readableBytesView)
                guard body.count < Self.maximumBodyByteCount else { break }
            }
            return (
                answer.status.code,
                String(decoding: body.prefix(Self.maximumBodyByteCount), as: UTF8.self)
            )
        } catch {
            let isLate = (error as? HTTPClientError) == HTTPClientError.deadlineExceeded
            let reason = isLate ? "no response within \(timeout) seconds" : "\(error)"
            throw CommandFailure(
                "no server responds at \(url): \(ConnectionFailure.words(for: error) ?? reason)",
                hint: "start the server, or give the URL that it printed when it was ready"
            )
        }
    }
}
