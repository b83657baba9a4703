import AccountsServer
import AppleEmulator
import AppleEmulatorServer
import AsyncHTTPClient
import Crypto
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import SignInWithApple

/// Servers in this process, each on a free port, that end with it.
enum BenchServer {
    /// Starts the accounts server on the SQLite file of a folder, which is made when it is missing, or on the
    /// database that the environment names.
    ///
    /// - Parameters:
    ///   - folder: where its file is.
    ///   - keys: where ``keys(of:)`` serves Apple's keys.
    /// - Returns: its address.
    /// - Throws: when it does not start.
    static func accounts(folder: URL, keys: URL) async throws -> URL {
        let configuration = try configuration(folder: folder, keys: keys)
        return try await start { onRunning in
            try await buildAccountsServer(
                configuration: configuration,
                logger: quietLogger,
                port: 0,
                onServerRunning: onRunning
            )
        }
    }

    /// The settings of that server; writes its key into the folder.
    static func configuration(folder: URL, keys: URL) throws -> AccountsServerConfiguration {
        let key = folder.appending(path: "AuthKey.p8")
        try P256.Signing.PrivateKey().pemRepresentation
            .write(to: key, atomically: true, encoding: .utf8)
        return try AccountsServerConfiguration(values: [
            "SIWA_TEAM_ID": "BENCHTEAM1",
            "SIWA_KEY_ID": "BENCHKEY01",
            "SIWA_KEY_FILE": key.path,
            "SIWA_CLIENT_IDS": BenchApple.clientID,
            "SIWA_SERVICES_ID": BenchApple.clientID + ".web",
            "SIWA_PUBLIC_URL": "https://accounts.example.com",
            "SIWA_DATABASE_URL": ProcessInfo.processInfo.environment[databaseVariable]
                ?? "sqlite:" + folder.appending(path: "siwa.sqlite").path,
            "SIWA_SEALING_KEYS": "bench:" + sealingKey.base64EncodedString(),
            "SIWA_APPLE_URL": keys.absoluteString.replacing(keysPath, with: ""),
            "SIWA_APPLE_IS_EMULATOR": "true",
            "SIWA_APPLE_ISSUER": BenchApple.issuer,
        ])
    }

    /// Starts a Hummingbird application with one route that answers a short JSON text.
    ///
    /// - Returns: its address.
    static func bareRoute() async throws -> URL {
        let router = Router()
        router.get("api/account") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json; charset=utf-8"],
                body: .init(byteBuffer: ByteBuffer(string: "{\"id\":\"1\",\"name\":\"Maya Ng\"}"))
            )
        }
        return try await start { onRunning in
            Application(
                router: router,
                configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: onRunning,
                logger: quietLogger
            )
        }
    }

    /// Starts a Hummingbird application whose one route makes a durable insert before it answers.
    ///
    /// - Parameter inserts: where to.
    /// - Returns: its address.
    /// - Throws: when it does not start.
    static func insertingRoute(_ inserts: DurableInserts) async throws -> URL {
        let router = Router()
        router.post("api/sessions/apple") { request, _ in
            _ = try await request.body.collect(upTo: maximumBodyByteCount)
            try await inserts.insert()
            return Response(
                status: .created,
                headers: [.contentType: "application/json; charset=utf-8"],
                body: .init(byteBuffer: ByteBuffer(string: "{\"id\":\"1\",\"name\":\"Maya Ng\"}"))
            )
        }
        return try await start { onRunning in
            Application(
                router: router,
                configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: onRunning,
                logger: quietLogger
            )
        }
    }

    /// Names the database when it is not the file in the folder.
    static let databaseVariable = "SIWA_BENCH_DATABASE_URL"
    /// Replicas share a database, which only one key seals; nothing secret is ever in it.
    private static let sealingKey = Data(repeating: 7, count: 32)
    private static let maximumBodyByteCount = 64 * 1024
    private static let keysPath = "/auth/keys"

    /// Starts a server of Apple's keys alone.
    ///
    /// - Returns: where the keys are.
    static func keys(of apple: BenchApple) async throws -> URL {
        let keys = ByteBuffer(string: try apple.keySetJSON())
        let router = Router()
        router.get(RouterPath(keysPath)) { _, _ in
            Response(
                status: .ok,
                headers: [
                    .contentType: "application/json;charset=UTF-8", .cacheControl: "max-age=86400",
                ],
                body: .init(byteBuffer: keys)
            )
        }
        let base = try await start { onRunning in
            Application(
                router: router,
                configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: onRunning,
                logger: quietLogger
            )
        }
        return base.appending(path: keysPath)
    }

    /// Serves an emulated Apple.
    ///
    /// - Returns: the address of Apple's port.
    static func emulator(_ apple: AppleEmulator) async throws -> URL {
        let port = try await freePort()
        let service = AppleEmulatorService(
            emulator: apple,
            configuration: .init(port: port, controlPort: 0),
            logger: quietLogger
        )
        Task {
            do {
                try await service.run()
            } catch {
                Output.error("the emulator ended: \(error)")
            }
        }
        let url = URL(string: "http://127.0.0.1:\(port)")
        for _ in 0..<2_000 {
            if await BenchServer.answers("http://127.0.0.1:\(port)/auth/keys"), let url {
                return url
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw BenchError("the emulator did not start")
    }

    /// Whether an address answers with 200.
    static func answers(_ url: String) async -> Bool {
        let request = HTTPClientRequest(url: url)
        return (try? await Load.send(request, expecting: 200)) != nil
    }

    /// A free port of this machine.
    static func freePort() async throws -> Int {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close()
        return port
    }

    static var quietLogger: Logger {
        var logger = Logger(label: "bench")
        logger.logLevel = .warning
        return logger
    }

    private static func start(
        _ build: (@escaping @Sendable (any Channel) async -> Void) async throws
            -> some ApplicationProtocol
    ) async throws -> URL {
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let application = try await build { channel in
            continuation.yield(channel.localAddress?.port ?? 0)
        }
        Task {
            do {
                try await application.runService()
            } catch {
                Output.error("a server ended: \(error)")
            }
            continuation.finish()
        }
        for await port in ports {
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { break }
            return url
        }
        throw BenchError("a server did not start")
    }
}
