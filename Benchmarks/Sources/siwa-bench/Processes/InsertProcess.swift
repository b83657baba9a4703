import Foundation

/// The floor of whatever is durable, in a process of its own: one durable insert after the other.
final class InsertProcess: Sendable {
    private let process: ChildProcess

    init(folder: URL, environment: [String: String] = [:]) throws {
        process = try ChildProcess(
            URL(filePath: CommandLine.arguments[0]),
            ServerRole.inserts(folder: folder).arguments,
            environment: environment
        )
        guard process.readLine() == "ready" else { throw BenchError("the floor did not start") }
    }

    /// How many inserts a second it makes.
    func rate(count: Int) throws -> Double {
        try process.tell(String(count))
        let answer = process.readLine()
        guard let rate = Double(answer) else {
            throw BenchError("the floor answered \"\(answer)\"")
        }
        return rate
    }
}
