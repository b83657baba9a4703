import Foundation

/// A server in a child process of this program, whose memory and processor time are only the server's.
final class ServerProcess: Sendable {
    /// Its address.
    let url: URL
    private let process: ChildProcess

    /// Starts it.
    ///
    /// - Parameters:
    ///   - role: what it serves.
    ///   - environment: variables in addition to this process's environment.
    /// - Throws: ``BenchError`` when it does not start.
    init(_ role: ServerRole, environment: [String: String] = [:]) throws {
        process = try ChildProcess(
            URL(filePath: CommandLine.arguments[0]),
            role.arguments,
            environment: environment
        )
        let address = process.readLine()
        guard let url = URL(string: address), url.scheme == "http" else {
            throw BenchError("\(role.arguments.joined(separator: " ")) did not start: \(address)")
        }
        self.url = url
    }

    /// The system's figures of the process.
    var figures: ProcessFigures { process.figures }

    /// How many requests it answers in a second of its processor time.
    ///
    /// What other programs do meanwhile hardly shows in it; neither does which of the cores were used.
    ///
    /// - Parameter body: sends requests, and says how many were answered.
    /// - Returns: requests in a second of its processor time.
    /// - Throws: ``BenchError`` where the system does not tell it; what the body throws.
    func processorRate(_ body: () async throws -> Int) async throws -> Double {
        guard let before = figures.processorSeconds else { throw Self.untold }
        let count = try await body()
        guard let after = figures.processorSeconds, after > before else { throw Self.untold }
        return Double(count) / (after - before)
    }

    /// Ends it, and waits until it has ended.
    func end() throws {
        try process.end()
    }

    private static let untold = BenchError("the system does not tell a process's processor time")
}
