import AppleIdentity
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@testable import AccountsServer

@Suite("The limits of all connections")
struct ConnectionLimitTests {
    private static let quarter = ByteBuffer(
        repeating: 97,
        count: ServerLimits.maximumBodiesByteCount / 4
    )
    private static let head = HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
    )

    private let log = LogRecorder()

    private func limits(trusting proxies: [String] = [], peerCount: Int = 2) throws
        -> ConnectionLimits
    {
        var configuration = try AccountsServerConfiguration.sample()
        configuration.trustedProxies = try TrustedProxies(proxies)
        configuration.maximumConnectionCount = peerCount * ServerLimits.peerShare
        return ConnectionLimits(
            configuration,
            time: ManualTime().source,
            logger: log.logger
        )
    }

    private func connect(_ limits: ConnectionLimits, from peer: String = "127.0.0.1") throws
        -> EmbeddedChannel
    {
        let channel = EmbeddedChannel(handler: limits.handler())
        let address = try SocketAddress(ipAddress: peer, port: 1)
        channel.remoteAddress = address
        try? channel.connect(to: address).wait()
        return channel
    }

    private func send(_ count: Int, on channel: EmbeddedChannel) throws {
        try channel.writeInbound(Self.head)
        for _ in 0..<count { try channel.writeInbound(HTTPRequestPart.body(Self.quarter)) }
    }

    private func expectBusy(_ send: () throws -> Void) {
        let error = #expect(throws: RefusedSignIn.self) { try send() }
        #expect(error?.code.rawValue == "server_busy")
        #expect(error?.headers[.retryAfter] != nil)
    }

    @Test("refuse a body that does not fit in memory with all others, until others are answered")
    func bodies() throws {
        let limits = try limits()
        let (first, second) = (try connect(limits), try connect(limits))
        try send(3, on: first)
        try send(1, on: second)
        let late = try connect(limits)
        expectBusy { try send(1, on: late) }
        // Nothing more of the refused request is read, and its connection ends soon after the response.
        try late.writeInbound(HTTPRequestPart.body(Self.quarter))
        try late.writeOutbound(HTTPResponsePart.end(nil))
        #expect(late.isActive)
        late.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!late.isActive)
        try first.writeOutbound(HTTPResponsePart.end(nil))
        let next = try connect(limits)
        try send(3, on: next)
        _ = try second.finish(acceptAlreadyClosed: true)
        try send(1, on: try connect(limits))
        expectBusy { try send(1, on: try connect(limits)) }
    }

    @Test("count the bodies of requests that are sent ahead, each until its own response")
    func pipelined() throws {
        let limits = try limits()
        let channel = try connect(limits)
        try send(2, on: channel)
        try send(2, on: channel)
        expectBusy { try send(1, on: try connect(limits)) }
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        try send(2, on: try connect(limits))
        expectBusy { try send(1, on: try connect(limits)) }
        // What arrives after the response is discarded.
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        for _ in 0..<9 { try channel.writeInbound(HTTPRequestPart.body(Self.quarter)) }
    }

    @Test("let one client have an eighth of all bodies, whichever proxy it comes through")
    func oneClient() throws {
        let limits = try limits(trusting: ["10.0.0.1"])
        let share = ServerLimits.maximumBodiesByteCount / ServerLimits.peerShare
        func send(_ byteCount: Int, of client: String, through proxy: String) throws {
            let channel = try connect(limits, from: proxy)
            var head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
            head.headerFields[try #require(HTTPField.Name("X-Forwarded-For"))] = client
            try channel.writeInbound(HTTPRequestPart.head(head))
            let bytes = ByteBuffer(repeating: 97, count: byteCount)
            try channel.writeInbound(HTTPRequestPart.body(bytes))
        }
        try send(share, of: "", through: "203.0.113.7")
        try send(share, of: "203.0.113.8", through: "10.0.0.1")
        for proxy in ["203.0.113.7", "10.0.0.1"] {
            expectBusy { try send(1, of: "203.0.113.8", through: proxy) }
        }
        try send(share, of: "203.0.113.9", through: "10.0.0.1")
    }

    @Test("close the connections of a peer that has an eighth of them, and say so")
    func peers() throws {
        let limits = try limits()
        func isOpen(_ peer: String) throws -> Bool { try connect(limits, from: peer).isActive }
        let kept = try (0..<2).map { _ in try connect(limits, from: "203.0.113.7") }
        #expect(try isOpen("203.0.113.7") == false)
        #expect(log.text.contains("203.0.113.7"))
        #expect(try isOpen("203.0.113.8"))
        _ = try kept[0].finish()
        #expect(try isOpen("203.0.113.7"))
        #expect(try isOpen("203.0.113.7") == false)
    }

    @Test(
        "let trusted proxies and this machine have all",
        arguments: ["10.0.0.1", "127.0.0.1", "::1"]
    )
    func proxies(peer: String) throws {
        let limits = try limits(trusting: ["10.0.0.1"])
        for _ in 0..<9 { #expect(try connect(limits, from: peer).isActive) }
    }
}

extension AccountsServerConfiguration {
    fileprivate static func sample() throws -> AccountsServerConfiguration {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        return try AccountsServerConfiguration(values: TestSettings.values(in: folder))
    }
}
