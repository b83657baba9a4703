import Foundation

/// Python's libraries in a process of their own, which waits for its turns.
final class PythonPeers {
    static let libraries = ["joserfc", "PyJWT"]

    /// The variable in which the Makefile names the Python with the libraries.
    private static let variable = "SIWA_BENCH_PYTHON"

    /// The Python with the libraries; nil when none is configured.
    static var python: URL? {
        ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0) }
    }

    private struct Task: Encodable {
        let token: String
        let keys: [String: [[String: String]]]
        let audience: String
        let issuer: String
    }

    private let process: ChildProcess

    /// Starts Python; nil when none is configured.
    init?(apple: BenchApple, token: String) throws {
        guard let python = Self.python else { return nil }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Python/peers.py").standardizedFileURL
        process = try ChildProcess(python, [script.path])
        let task = Task(
            token: token,
            keys: try JSONDecoder().decode(
                [String: [[String: String]]].self,
                from: Data(apple.keySetJSON().utf8)
            ),
            audience: BenchApple.clientID,
            issuer: BenchApple.issuer
        )
        try process.tell(String(decoding: JSONEncoder().encode(task), as: UTF8.self))
    }

    /// How often a second a library verified the token.
    func rate(of library: String, count: Int) throws -> Double {
        try process.tell("\(library) \(count)")
        let answer = process.readLine()
        guard let seconds = Double(answer) else {
            throw BenchError("Python answered \"\(answer)\" for \(library)")
        }
        return Double(count) / seconds
    }
}
