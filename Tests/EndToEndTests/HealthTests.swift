import Foundation
import TestSupport
import Testing

/// The health and the version of a program, from outside.
@Suite("siwa health and siwa --version", TemporaryFolder.lending) struct HealthTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test("Both servers are healthy once they are ready") func healthy() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            let server = siwa.serverForPrograms.appending(path: "health/ready").absoluteString
            for url in [siwa.control.appending(path: "health").absoluteString, server] {
                let asked = try await Program.run(["health", url], folder)
                #expect(asked.exitCode == 0, "\(asked.errors)")
                #expect(asked.output == "healthy\n")
            }
            let missing = siwa.control.appending(path: "nothing").absoluteString
            let refused = try await Program.run(["health", missing], folder)
            #expect(refused.exitCode == 1 && refused.output.isEmpty)
            #expect(refused.errors.hasPrefix("siwa: \(missing) responds with 404: "))
            #expect(refused.errors.contains("hint: give the URL of a health check"))
        }
    }

    @Test(
        "A server that does not respond is not healthy, and an invalid URL is wrong usage",
        arguments: [
            (
                ["http://127.0.0.1:1/health"], 1,
                "siwa: no server responds at http://127.0.0.1:1/health: nothing listens there\n"
            ),
            (["ftp://127.0.0.1/"], 2, "siwa: \"ftp://127.0.0.1/\" is not an http or https URL"),
            (["health"], 2, "siwa: \"health\" is not an http or https URL"),
            (["--timeout", "0"], 2, "siwa: --timeout must be 1 to 60 seconds"),
            (["--timeout", "61"], 2, "siwa: --timeout must be 1 to 60 seconds"),
        ] as [([String], Int32, String)]
    )
    func unhealthy(arguments: [String], code: Int32, words: String) async throws {
        let asked = try await Program.run(["health"] + arguments, folder)
        #expect(asked.exitCode == code && asked.output.isEmpty)
        #expect(asked.errors.hasPrefix(words), "\(asked.errors)")
        #expect(asked.errors.split(separator: "\n").count == 2, "\(asked.errors)")
    }

    @Test("The version is three numbers") func version() async throws {
        let asked = try await Program.run(["--version"], folder)
        #expect(asked.exitCode == 0)
        #expect(try /\d+\.\d+\.\d+\n/.wholeMatch(in: asked.output) != nil)
    }
}
