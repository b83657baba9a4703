import AppleIdentity
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOPosix
import ServerTestSupport
import TestSupport
import Testing

@testable import Accounts

@Suite("A client that hangs up", .timeLimit(.minutes(2))) struct HangUpTests {
    private static let password = #"{"username":"maya","password":"correct horse"}"#

    @Test(
        "gives up its place among the waiting passwords",
        arguments: [
            ("POST", "/api/accounts", password), ("POST", "/api/sessions/password", password),
            ("POST", "/create-account", "username=maya&password=correct+horse"),
            ("POST", "/sign-in/password", "username=maya&password=correct+horse"),
        ],
        [CloseMode.all, .output]
    )
    func place(request: (method: String, path: String, body: String), mode: CloseMode) async throws
    {
        let hasher = PasswordHasher(cost: .free, concurrentCount: 1)
        try await withAccountsServer(setup: .live, hasher: hasher) { server in
            let other = PasswordQueue.Client(account: "other", network: "o", widerNetwork: "o")
            var held = [await hasher.turn(of: other)]
            let port = try #require(server.client.port)
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .connect(host: "127.0.0.1", port: port).get()
            try await channel.writeAndFlush(ByteBuffer(string: Self.text(request)))
            try await waitUntil { hasher.waiting.count == 1 }
            try await channel.close(mode: mode)
            try await waitUntil { hasher.waiting.isEmpty }
            held.removeAll()
            if mode == .output { try await channel.closeFuture.get() }
        }
    }

    private static func text(_ request: (method: String, path: String, body: String)) -> String {
        let type =
            request.body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
        return """
            \(request.method) \(request.path) HTTP/1.1\r
            Host: juice.example.com\r
            Origin: \(TestServer.publicURL)\r
            Content-Type: \(type)\r
            Content-Length: \(request.body.utf8.count)\r
            \r
            \(request.body)
            """
    }
}
