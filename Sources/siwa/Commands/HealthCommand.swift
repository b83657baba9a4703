import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// `siwa health`: what a container's health check runs, where no other program is.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask a running server whether it is healthy; exits with 1 when it is not.",
        discussion: """
            The emulator answers on its control port at /health, the accounts server at /health/ready.
            """
    )

    private static let maximumSeconds = 60

    private static let maximumBodyByteCount = 4_096

    /// A health check is about the server at the address, not about one that it names.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            configuration: configuration
        )
    }()

    @Argument(help: "The address to ask.") var url = "http://127.0.0.1:8082/health"

    @Option(help: "How long to wait for the answer, in seconds.") var timeout = 5

    func validate() throws {
        guard URL(server: url) != nil else {
            throw ValidationError("\(url.debugDescription) is not an http address")
        }
        guard (1...Self.maximumSeconds).contains(timeout) else {
            throw ValidationError("--timeout is a number from 1 to \(Self.maximumSeconds)")
        }
    }

    func run() async throws {
        let (status, body) = try await answer()
        guard status == 200 else {
            throw CommandFailure(
                "\(url) answers \(status): \(TerminalText.line(body))",
                hint: "the log of the server says why"
            )
        }
        Console().write("healthy")
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
            throw CommandFailure(
                "no answer from \(url): \(error)",
                hint: "start the server, or give the address that it printed when it was ready"
            )
        }
    }
}
