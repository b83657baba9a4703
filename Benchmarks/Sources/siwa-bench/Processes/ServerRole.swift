import Foundation
import Logging

/// What this program is when it is started with `serve`: one server, in a process of its own.
///
/// Once it is ready it prints one line, its address; it ends when its standard input does.
enum ServerRole {
    /// The argument that comes before the role's own.
    static let argument = "serve"

    /// The accounts server on the database in a folder, with Apple's keys from an address.
    case accounts(folder: URL, keys: URL)
    /// A route that does nothing.
    case bareRoute
    /// A route that makes one durable insert into a database in a folder.
    case insertingRoute(folder: URL)
    /// No server: each line has the number of durable inserts to make, and the rate is its answer.
    case inserts(folder: URL)

    /// The arguments with which this program takes the role.
    var arguments: [String] {
        switch self {
        case .accounts(let folder, let keys):
            [Self.argument, "accounts", folder.path, keys.absoluteString]
        case .bareRoute: [Self.argument, "bare"]
        case .insertingRoute(let folder): [Self.argument, "bare-insert", folder.path]
        case .inserts(let folder): [Self.argument, "inserts", folder.path]
        }
    }

    /// Reads arguments as they are in ``arguments``.
    init(arguments: [String]) throws {
        switch (arguments.dropFirst().first, arguments.count) {
        case ("accounts", 4):
            guard let keys = URL(string: arguments[3]) else { throw Self.usage }
            self = .accounts(folder: URL(filePath: arguments[2]), keys: keys)
        case ("bare", 2): self = .bareRoute
        case ("bare-insert", 3): self = .insertingRoute(folder: URL(filePath: arguments[2]))
        case ("inserts", 3): self = .inserts(folder: URL(filePath: arguments[2]))
        default: throw Self.usage
        }
    }

    private static let usage = BenchError(
        "usage: siwa-bench serve accounts FOLDER KEYS-URL | bare | bare-insert FOLDER | inserts FOLDER"
    )

    /// Takes the role until the standard input ends.
    func run() async throws {
        // The standard output is for the address.
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        switch self {
        case .accounts(let folder, let keys):
            Output.line(try await BenchServer.accounts(folder: folder, keys: keys).absoluteString)
        case .bareRoute:
            Output.line(try await BenchServer.bareRoute().absoluteString)
        case .insertingRoute(let folder):
            let inserts = try DurableInserts(folder: folder)
            Output.line(try await BenchServer.insertingRoute(inserts).absoluteString)
        case .inserts(let folder):
            return try await Self.answer(with: DurableInserts(folder: folder))
        }
        await Self.waitForEndOfInput()
    }

    private static func answer(with inserts: DurableInserts) async throws {
        Output.line("ready")
        while let line = readLine(), let count = Int(line) {
            let rate = try await rate(count: count) {
                for _ in 0..<count { try await inserts.insert() }
            }
            Output.line(String(rate))
        }
    }

    /// Waits on a thread of its own: those of the server must not be held.
    private static func waitForEndOfInput() async {
        await withCheckedContinuation { waiting in
            Thread.detachNewThread {
                while readLine() != nil { continue }
                waiting.resume()
            }
        }
    }
}
