import Accounts
import AccountsSQLite
import AccountsServer
import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServerTestSupport
import ServiceLifecycle
import SignInWithApple
import TestSupport
import Testing

/// The socket next to the database file.
@Suite(TemporaryFolder.lending) struct AdministrationSocketTests {
    private let database: String
    init() throws {
        database = try TemporaryFolder.lending.value.appending(path: "siwa.sqlite").path()
    }

    /// Serves the socket of a database while the body runs.
    private func serve(_ body: (String) async throws -> Void) async throws {
        let store = try AccountStore(SQLiteDatabase(path: database))
        let (ready, continuation) = AsyncStream<AdministrationSocketError?>.makeStream()
        let logger = LogRecorder().logger
        let socket = try AdministrationSocket(
            besides: database,
            accounts: AccountsService(
                store: store,
                sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1")),
                logger: logger
            ),
            logger: logger,
            onReady: { continuation.yield($0) }
        )
        let group = ServiceGroup(services: [socket], logger: logger)
        async let serving: Void = {
            defer { continuation.finish() }
            try await group.run()
        }()
        for await problem in ready {
            if let problem { throw problem }
            try await body(socket.path)
            await group.triggerGracefulShutdown()
        }
        try await serving
    }

    private func status(_ socket: String) async throws -> UInt {
        let host = try #require(socket.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let request = HTTPClientRequest(url: "http+unix://\(host)/users")
        return try await HTTPClient.shared.execute(request, timeout: .seconds(60)).status.code
    }

    @Test func onlyItsOwnerCanConnect() async throws {
        try await serve { socket in
            #expect(socket == database + ".socket")
            #expect(try await status(socket) == 200)
            let attributes = try FileManager.default.attributesOfItem(atPath: socket)
            #expect(attributes[.type] as? FileAttributeType == .typeSocket)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let left = try FileManager.default.contentsOfDirectory(
            atPath: URL(filePath: database).deletingLastPathComponent().path()
        )
        #expect(left.filter { $0.contains("socket") }.isEmpty)
    }

    @Test func whatAKilledProcessLeftIsReplaced() async throws {
        try await serve { socket in
            // A hard link keeps the socket when the first process removes its own name.
            try FileManager.default.linkItem(atPath: socket, toPath: socket + ".kept")
        }
        let socket = database + ".socket"
        try FileManager.default.moveItem(atPath: socket + ".kept", toPath: socket)
        try FileManager.default.createDirectory(
            atPath: socket + ".new",
            withIntermediateDirectories: false
        )
        // An HTTP client would retry for a minute.
        await #expect(throws: IOError.self) {
            try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(unixDomainSocketPath: socket).get()
        }
        try await serve { socket in
            let code = try await status(socket)
            #expect(code == 200)
        }
    }

    @Test func fileOfSomebodyElseStays() async throws {
        let file = URL(filePath: database + ".socket")
        try Data("mine".utf8).write(to: file)
        await #expect(throws: (any Error).self) { try await serve { _ in } }
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
    }

    @Test func longPathInTheWorkingDirectoryIsShortened() throws {
        let folder = "/" + String(repeating: "a", count: AdministrationSocket.maximumPathByteCount)
        let database = folder + "/.siwa/siwa.sqlite"
        #expect(
            try AdministrationSocket.path(besides: database, from: folder)
                == ".siwa/siwa.sqlite.socket"
        )
        #expect(throws: AdministrationSocketError.self) {
            try AdministrationSocket.path(besides: database, from: folder + "b")
        }
    }

    @Test func longPathIsRefusedInWords() async throws {
        let limit = AdministrationSocket.maximumPathByteCount - "/.socket".utf8.count
        let longest = "/" + String(repeating: "a", count: limit)
        let path = try AdministrationSocket.path(besides: longest)
        #expect(path.utf8.count == AdministrationSocket.maximumPathByteCount)
        let error = #expect(throws: AdministrationSocketError.self) {
            try AdministrationSocket.path(besides: longest + "a")
        }
        #expect(
            error?.description.contains("the limit is \(AdministrationSocket.maximumPathByteCount)")
                == true
        )
    }
}
