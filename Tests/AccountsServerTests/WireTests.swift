import AccountsSQLite
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HummingbirdCore
import HummingbirdTesting
import NIOCore
import NIOPosix
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import AccountsServer

/// Requests as bytes on a socket, which no client library would send.
@Suite(.timeLimit(.minutes(2))) struct WireTests {
    private static let host = "Host: juice.example.com\r\n"
    private static let post =
        "POST /api/sessions/apple HTTP/1.1\r\n\(host)Content-Type: application/json\r\n"

    /// The server's response until it closes the connection or the text has arrived, and its log.
    private func answer(
        to request: String,
        until end: String? = nil
    ) async throws -> (text: String, log: String) {
        let received = LockedValue("")
        let log = LockedValue(LogRecorder())
        try await withAccountsServer(setup: .live) { server in
            log.withLock { $0 = server.log }
            let port = try #require(server.client.port)
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel
                        )
                    }
                }
            try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: request))
                for try await chunk in inbound {
                    let text = received.withLock { text in
                        text += String(buffer: chunk)
                        return text
                    }
                    if let end, text.contains(end) { break }
                }
            }
        }
        return (received.withLock(\.self), log.withLock { $0.text })
    }

    @Test(arguments: [
        "ZZ\r\nabc\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\nabc", "3\r\nabcd\r\n0\r\n\r\n",
    ])
    func malformedChunkIsTheClientsFault(_ body: String) async throws {
        let (text, log) = try await answer(
            to: Self.post + "Transfer-Encoding: chunked\r\n\r\n" + body
        )
        #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
        #expect(text.components(separatedBy: "HTTP/1.1").count == 2)
        #expect(log.contains("content_malformed"))
        #expect(!log.contains("error "))
    }

    @Test(arguments: [
        "GET /health/live HTTP/1.1\r\n\r\n",
        "GET /health/live HTTP/1.1\r\n\(host)\(host)\r\n",
        "GET /health/live HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET /health/live HTTP/1.0\r\n\(host)\(host)\r\n",
        "\(post)Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "\(post)Transfer-Encoding: gzip\r\n\r\n",
        "\(post)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "\(post)Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /api/nonces HTTP/1.0\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ])
    func ambiguousRequestIsRefusedBeforeItIsActedOn(_ request: String) async throws {
        let (text, log) = try await answer(to: request)
        #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
        #expect(text.lowercased().contains("connection: close"))
        #expect(!log.contains("route"))
    }

    @Test(arguments: [
        "GET /health/live HTTP/1.0\r\n\r\n", "GET /health/live HTTP/1.0\r\n\(host)\r\n",
        "GET /health/live HTTP/1.1\r\n\(host)Connection: Close\r\n\r\n",
    ])
    func connectionEndsWithTheAnswer(_ request: String) async throws {
        let (text, _) = try await answer(to: request)
        #expect(text.contains(" 200 OK"))
        #expect(text.hasSuffix(#"{"status":"live"}"#))
    }

    @Test func connectionOfAClientThatOffersAnotherProtocolEndsWithTheAnswer() async throws {
        let (text, _) = try await answer(
            to: "GET /health/live HTTP/1.1\r\n\(Self.host)Connection: Upgrade, HTTP2-Settings\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
        )
        #expect(text.hasPrefix("HTTP/1.1 200 "), "\(text)")
        #expect(text.lowercased().contains("connection: close"))
    }

    @Test func connectionThatIsKeptAliveAnswersInOrder() async throws {
        let live = "GET /health/live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        let (text, _) = try await answer(to: live + "GET /sign-in HTTP/1.1\r\n\r\n")
        let statuses = text.matches(of: /HTTP\/1\.1 (\d+)/).map { String($0.1) }
        #expect(statuses == ["200", "400"])
    }

    @Test func ordinaryChunksAreRead() async throws {
        let (text, _) = try await answer(
            to: Self.post + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            until: "field_missing"
        )
        #expect(text.hasPrefix("HTTP/1.1 422 "))
    }
}
