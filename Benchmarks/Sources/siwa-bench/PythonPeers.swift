import Foundation

/// Python's libraries in a process of their own, which waits for its turns.
final class PythonPeers {
    static let libraries = ["joserfc", "PyJWT"]

    /// Where the Makefile tells which Python has the libraries.
    private static let variable = "SIWA_BENCH_PYTHON"

    /// The Python with the libraries; nil when nobody said which.
    static var python: URL? {
        ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0) }
    }

    private struct Task: Encodable {
        let token: String
        let keys: [String: [[String: String]]]
        let audience: String
        let issuer: String
    }

    private let process = Process()
    private let questions = Pipe()
    private let answers = Pipe()

    /// Starts Python; nil when nobody said which.
    init?(apple: BenchApple, token: String) throws {
        guard let python = Self.python else { return nil }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Python/peers.py").standardizedFileURL
        process.executableURL = python
        process.arguments = [script.path]
        process.standardInput = questions
        process.standardOutput = answers
        try process.run()
        let task = Task(
            token: token,
            keys: try JSONDecoder().decode(
                [String: [[String: String]]].self,
                from: Data(apple.keySetJSON().utf8)
            ),
            audience: BenchApple.clientID,
            issuer: BenchApple.issuer
        )
        try ask(String(decoding: JSONEncoder().encode(task), as: UTF8.self))
    }

    deinit {
        try? questions.fileHandleForWriting.close()
    }

    /// How often a second a library verified the token.
    func rate(of library: String, count: Int) throws -> Double {
        try ask("\(library) \(count)")
        let answer = readLine()
        guard let seconds = Double(answer.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchError("Python answered \"\(answer)\" for \(library)")
        }
        return Double(count) / seconds
    }

    /// A line may come in pieces; the end of the process ends it too.
    private func readLine() -> String {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let piece = answers.fileHandleForReading.availableData
            guard !piece.isEmpty else { break }
            line += piece
        }
        return String(decoding: line, as: UTF8.self)
    }

    private func ask(_ line: String) throws {
        try questions.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }
}
