import Foundation
import NIOCore
import NIOPosix

/// Large forms that are posted to the accounts server and never end, each over its own connection.
enum IdleUploads {
    static let count = 4_000
    private static let byteCount = 320 * 1_024
    private static let openFileCount: rlim_t = 10_000

    /// Holds them open during the body.
    ///
    /// - Parameters:
    ///   - url: the server's URL.
    ///   - body: measures.
    /// - Returns: the result of the body.
    /// - Throws: an error of a connection, or of the body.
    static func during<Value: Sendable>(
        at url: URL,
        _ body: () async throws -> Value
    ) async throws -> Value {
        var channels: [any Channel] = []
        defer { for channel in channels { channel.close(promise: nil) } }
        for _ in 0..<count {
            let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            let channel = try await bootstrap.connect(host: "127.0.0.1", port: url.port ?? 0).get()
            channels.append(channel)
            // The server may have closed it.
            try? await channel.writeAndFlush(request)
        }
        return try await body()
    }

    /// All but the last byte.
    private static let request = ByteBuffer(
        string: """
            POST /sign-in/apple/callback/again HTTP/1.1\r
            Host: accounts.example.com\r
            Origin: https://accounts.example.com\r
            Content-Type: application/x-www-form-urlencoded\r
            Content-Length: \(byteCount)\r
            \r

            """ + String(repeating: "a", count: byteCount - 1)
    )

    /// Raises the limit of this process, which servers that it starts later inherit.
    static func raiseOpenFileLimit() {
        #if os(Linux) && canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < openFileCount else { return }
        limit.rlim_cur = min(openFileCount, limit.rlim_max)
        setrlimit(files, &limit)
    }
}
