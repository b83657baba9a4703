import Foundation

/// A PostgreSQL server for one run with default durability, which ends with this process.
final class PostgreSQLServer: Sendable {
    private static let root = URL(filePath: #filePath)
        .appending(path: "../../../../..").standardized
    /// Transactions of one measurement.
    private static let (readCount, writeCount) = (60_000, 20_000)

    private let process: ChildProcess
    private let port: String
    private let folder: String

    /// Starts it in a temporary folder.
    init() throws {
        process = try ChildProcess(
            Self.root.appending(path: "scripts/test-postgresql"),
            [],
            environment: ["POSTGRESQL_IS_DURABLE": "1"]
        )
        let words = process.readLine().split(separator: " ").map(String.init)
        guard words.count == 3, words[0] == "ready" else {
            throw BenchError("scripts/test-postgresql did not start a server")
        }
        (port, folder) = (words[1], words[2])
        for name in ["fsync", "synchronous_commit", "full_page_writes"] {
            guard try query("SHOW \(name)", in: "postgres") == "on" else {
                throw BenchError("the server is not durable: \(name) is off")
            }
        }
    }

    /// Where its databases are.
    var files: URL { URL(filePath: folder).appending(path: "data/base") }

    /// Makes a database.
    ///
    /// - Parameter name: its name.
    /// - Returns: its address.
    /// - Throws: ``BenchError`` when the server refuses.
    func makeDatabase(_ name: String) throws -> String {
        _ = try query("CREATE DATABASE \(name)", in: "postgres")
        return "postgres://app@/\(name)?host=\(folder)&port=\(port)"
    }

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - sql: the statement.
    ///   - database: where.
    /// - Returns: its first column, as text.
    /// - Throws: ``BenchError`` when it fails.
    @discardableResult
    func query(_ sql: String, in database: String) throws -> String {
        try run("psql", ["-v", "ON_ERROR_STOP=1", "-q", "-A", "-t", "-c", sql, database])
    }

    /// The processor time of all its processes that run now, in seconds; those that have ended do not count.
    var processorSeconds: Double {
        get throws {
            let processes = try query("SELECT pid FROM pg_stat_activity", in: "postgres")
            return processes.split(separator: "\n").compactMap { Int32($0) }
                .compactMap { ProcessFigures(of: $0).processorSeconds }.reduce(0, +)
        }
    }

    /// Makes pgbench's tables, with 100 000 rows in the one that it reads.
    func preparePgbench(_ database: String) throws {
        _ = try run("pgbench", ["-i", "-q", "-s", "1", database])
    }

    /// How many transactions a second pgbench makes with prepared statements.
    ///
    /// - Parameters:
    ///   - script: a script of its own; without it, one row is read by its key.
    ///   - clients: how many at the same time.
    ///   - database: where.
    /// - Returns: units of work per second.
    /// - Throws: ``BenchError`` when pgbench fails.
    func pgbench(
        script: String? = nil,
        clients: Int,
        in database: String
    ) throws -> Double {
        let file = try BenchFolder.make().appending(path: "script.sql")
        try (script ?? "").write(to: file, atomically: true, encoding: .utf8)
        let what = script == nil ? ["-S"] : ["-f", file.path]
        let count = (script == nil ? Self.readCount : Self.writeCount)
        let text = try run(
            "pgbench",
            what + [
                "-n", "-M", "prepared", "-c", "\(clients)", "-j", "\(min(clients, 2))",
                // Not for a time: its alarm does not reach a process whose parent's thread blocks signals.
                "-t", "\(count / clients)", database,
            ]
        )
        guard let match = text.firstMatch(of: /tps = ([0-9.]+)/), let rate = Double(match.1)
        else { throw BenchError("pgbench printed no rate:\n\(text)") }
        return rate
    }

    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = try Self.programs.appending(path: program)
        process.arguments = ["-h", folder, "-p", port, "-U", "app"] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError("\(program) \(arguments.joined(separator: " ")) failed")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static var programs: URL {
        get throws {
            let base = URL(filePath: "/usr/lib/postgresql")
            let versions = try FileManager.default.contentsOfDirectory(atPath: base.path)
            guard let version = versions.max(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) else {
                throw BenchError("PostgreSQL is not installed; run: scripts/setup test")
            }
            return base.appending(path: "\(version)/bin")
        }
    }
}
