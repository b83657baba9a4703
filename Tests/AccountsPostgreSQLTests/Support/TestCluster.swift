import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import Synchronization
import Testing

@testable import AccountsPostgreSQL

/// A PostgreSQL server beside the tests; its script stops it when this process ends, however it ends.
final class TestCluster: Sendable {
    struct Failure: Error {
        let reason: String
    }

    let port: Int
    let folder: String
    private let input: FileHandle
    private let lines: LineReader

    /// The one that most tests share, each with a database of its own.
    static let shared = Task { try await TestCluster() }

    init() async throws {
        let process = Process()
        process.executableURL =
            URL(filePath: #filePath)
            .appending(path: "../../../../scripts/test-postgresql").standardized
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        lines = LineReader(output.fileHandleForReading)
        // The script's input ends only when nobody has its other end any more: no process that is started may get it.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try process.run()
        self.input = input.fileHandleForWriting
        let words = try await lines.next().split(separator: " ")
        guard words.count == 3, words[0] == "ready", let port = Int(words[1]) else {
            throw Failure(reason: "scripts/test-postgresql did not start a server")
        }
        self.port = port
        folder = String(words[2])
    }

    deinit {
        try? input.close()
    }

    /// Has the script do something, and waits until it is done.
    ///
    /// - Returns: what it tells besides.
    @discardableResult
    func command(_ command: String) async throws -> [Substring] {
        try input.write(contentsOf: Data("\(command)\n".utf8))
        let words = try await lines.next().split(separator: " ")
        guard words.first == "done" else {
            throw Failure(reason: "scripts/test-postgresql could not \(command)")
        }
        return Array(words.dropFirst())
    }

    /// The address of a database on the server's socket.
    func url(_ database: String, _ parameters: String = "") -> String {
        "postgres://app@/\(database)?host=\(folder)&port=\(port)\(parameters)"
    }

    /// Makes an empty schema, which is much cheaper than a database.
    ///
    /// - Returns: the parameters of an address with which tables are looked for there.
    func makeSchema() async throws -> String {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await administer("CREATE SCHEMA \(name)")
        return "&options=-csearch_path%3D\(name)"
    }

    /// Makes an empty database, for what is about whole databases.
    func makeDatabase() async throws -> String {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await administer("CREATE DATABASE \(name)")
        return name
    }

    /// Runs one statement on a connection of its own.
    func administer(_ sql: String) async throws {
        let settings = try ConnectionSettings(url: url("postgres"))
        let connection = try await PostgreSQLConnection.open(settings, time: .live)
        _ = try await connection.exchange([.command(sql)]).get()
        await connection.close()
    }

    /// Lends the settings of an empty schema.
    static func withSchema<Answer>(
        _ parameters: String = "",
        _ body: (ConnectionSettings) async throws -> Answer
    ) async throws -> Answer {
        let cluster = try await shared.value
        let url = cluster.url("postgres", try await cluster.makeSchema() + parameters)
        return try await body(ConnectionSettings(url: url))
    }

    /// Lends the address of an empty database.
    static func withDatabase<Answer>(
        _ body: (TestCluster, String) async throws -> Answer
    ) async throws -> Answer {
        let cluster = try await shared.value
        return try await body(cluster, try await cluster.makeDatabase())
    }

    /// Lends a store whose only connection somebody else has; no call that waits is given up until the time is moved.
    static func withBusyStore(
        logger: Logger = quiet,
        _ body: (AccountStore, PostgreSQLConnection, ManualTime) async throws -> Void
    ) async throws {
        let time = ManualTime()
        try await withStore("&pool_size=1", time: time.source, logger: logger) { store in
            try await body(store, try await store.postgreSQL.pool.lend(), time)
        }
    }

    static let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }

    /// A store for which the machine may be busy.
    static func patientStore(
        _ settings: ConnectionSettings
    ) async throws -> AccountStore {
        try await AccountStore(PostgreSQLDatabase(settings.patient, time: .patient, logger: quiet))
    }

    /// Lends a store on an empty schema; without a clock, one for which the machine may be busy.
    static func withStore<Answer>(
        _ parameters: String = "&pool_size=6",
        time: TimeSource? = nil,
        randomUnit: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        metrics: any MetricsFactory = MetricsSystem.factory,
        logger: Logger = quiet,
        _ body: (AccountStore) async throws -> Answer
    ) async throws -> Answer {
        try await withSchema(parameters) { settings in
            let store = try await AccountStore(
                PostgreSQLDatabase(
                    time == nil ? settings.patient : settings,
                    time: time ?? .patient,
                    randomUnit: randomUnit,
                    metrics: metrics,
                    logger: logger
                )
            )
            defer { store.postgreSQL.close() }
            return try await body(store)
        }
    }
}

extension TimeSource {
    /// A clock on which nobody waits in vain because the machine is busy: limits take twenty times as long.
    static let patient = TimeSource(
        now: { live.now },
        uptime: { live.uptime / patience },
        sleep: { duration in
            let isPause = duration <= .seconds(ConnectionPool.pauses.upperBound)
            try await live.sleep(for: isPause ? duration : duration * patience)
        }
    )

    private static let patience = 20
}

extension ConnectionSettings {
    /// The same for the database's own limits.
    var patient: ConnectionSettings {
        var settings = self
        settings.statementTimeout = .seconds(60)
        return settings
    }
}

extension ManualTime {
    /// This clock, on which pauses before a retry pass at once; what waits for longer waits until the clock is moved.
    var passingPauses: TimeSource {
        let source = source
        return TimeSource(
            now: { self.now },
            uptime: { self.uptime },
            sleep: { duration in
                guard duration <= .seconds(Retries.pauses.upperBound) else {
                    return try await source.sleep(for: duration)
                }
                self.advance(bySeconds: duration / .seconds(1))
            }
        )
    }
}

/// Lines of a pipe, one for each who asks.
final class LineReader: Sendable {
    private let lines: AsyncStream<String>

    init(_ handle: FileHandle) {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        let rest = Mutex(Data())
        handle.readabilityHandler = { handle in
            let part = handle.availableData
            guard !part.isEmpty else {
                handle.readabilityHandler = nil
                return continuation.finish()
            }
            rest.withLock { rest in
                rest += part
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
        }
        self.lines = lines
    }

    func next() async throws -> String {
        for await line in lines { return line }
        throw TestCluster.Failure(reason: "the pipe has ended")
    }
}

extension AccountStore {
    /// Runs a statement beside what the store does.
    @discardableResult
    func execute(_ sql: String) async throws -> SQLRows {
        try await database.run([.command(sql)]) { _ in [] }[0]
    }
}
