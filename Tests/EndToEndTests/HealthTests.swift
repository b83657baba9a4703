import Foundation
import TestSupport
import Testing

/// What containers and people ask of a program from outside: whether it is well, and which one it is.
@Suite("siwa health and siwa --version", TemporaryFolder.lending) struct HealthTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test("Both servers are healthy once they are ready") func healthy() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            let server = siwa.serverForPrograms.appending(path: "health/ready").absoluteString
            for url in [siwa.control.appending(path: "health").absoluteString, server] {
                let asked = try await run(["health", url], in: folder)
                #expect(asked.exitCode == 0, "\(asked.words)")
                #expect(asked.output == "healthy\n")
            }
            let missing = siwa.control.appending(path: "nothing").absoluteString
            let refused = try await run(["health", missing], in: folder)
            #expect(refused.exitCode == 1 && refused.output.isEmpty)
            #expect(refused.words.hasPrefix("siwa: \(missing) answers 404: "))
        }
    }

    @Test(
        "Whoever does not answer is not healthy, and what is no address is wrong usage",
        arguments: [
            (["http://127.0.0.1:1/health"], 1, "siwa: no answer from http://127.0.0.1:1/health: "),
            (["ftp://127.0.0.1/"], 2, "siwa: \"ftp://127.0.0.1/\" is not an http address"),
            (["health"], 2, "siwa: \"health\" is not an http address"),
            (["--timeout", "0"], 2, "siwa: --timeout is a number from 1 to 60"),
            (["--timeout", "61"], 2, "siwa: --timeout is a number from 1 to 60"),
        ] as [([String], Int32, String)]
    )
    func unhealthy(arguments: [String], code: Int32, words: String) async throws {
        let asked = try await run(["health"] + arguments, in: folder)
        #expect(asked.exitCode == code && asked.output.isEmpty)
        #expect(asked.words.hasPrefix(words), "\(asked.words)")
        #expect(asked.words.split(separator: "\n").count == 2, "\(asked.words)")
    }

    @Test("The version is three numbers") func version() async throws {
        let asked = try await run(["--version"], in: folder)
        #expect(asked.exitCode == 0)
        #expect(try /\d+\.\d+\.\d+\n/.wholeMatch(in: asked.output) != nil)
    }

    private struct Run {
        let exitCode: Int32
        let output: String
        let words: String
    }

    private func run(_ arguments: [String], in folder: URL) async throws -> Run {
        let program = try Program(Workplace.siwa(), arguments: arguments, folder: folder)
        let exitCode = try await program.finish()
        return Run(exitCode: exitCode, output: program.output, words: program.errors)
    }
}
