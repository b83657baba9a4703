import AppleIdentity
import Foundation
import TestSupport
import Testing

/// What clients need for TLS, as a person at a terminal asks for it.
@Suite("siwa emulator env and --tls", TemporaryFolder.lending) struct EmulatorEnvironmentTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test("The authority is made where there is none, and kept")
    func makesTheAuthority() async throws {
        let path = folder.appending(path: "new/tls").path
        let options = ["--format", "json", "--tls-port", "443", "--tls-data", path]
        let first = try await run(["emulator", "env"] + options, in: folder)
        #expect(first.exitCode == 0, "\(first.words)")
        let object = try JSONValue(parsing: Data(first.output.utf8)).objectValue
        #expect(object?["port"] == .integer(443))
        let certificate = try String(contentsOfFile: path + "/ca.pem", encoding: .utf8)
        #expect(object?["ca"] == .string(path + "/ca.pem"))

        let again = try await run(["emulator", "env"] + options, in: folder)
        #expect(again.output == first.output && again.words.isEmpty)
        #expect(try String(contentsOfFile: path + "/ca.pem", encoding: .utf8) == certificate)
    }

    @Test("A damaged authority is replaced, and the person is told") func damaged() async throws {
        try "x".write(
            to: folder.appending(path: "authority.pem"),
            atomically: true,
            encoding: .utf8
        )
        let arguments = ["emulator", "env", "--tls-data", folder.path]
        let done = try await run(arguments, in: folder)
        #expect(done.exitCode == 0)
        #expect(done.words.hasPrefix("note: the authority in "))
        #expect(done.words.contains("made a new one, which clients have to trust anew"))
    }

    /// Arguments, the exit code, and how the words begin.
    private static let mistakeTable: [([String], Int32, String)] = [
        (["env", "--tls-port", "0"], 2, "siwa: 0 is not a port\nhint: "),
        (["env", "--tls-port", "65536"], 2, "siwa: 65536 is not a port\nhint: "),
        (["env", "--tls-port", "https"], 2, "siwa: the value 'https' is invalid"),
        (["env", "--format", "fish"], 2, "siwa: the value 'fish' is invalid"),
        (["env", "--tls-data", ""], 2, "siwa: --tls-data is empty\nhint: "),
        (["env", "--tls-data", "/dev/null/tls"], 1, "siwa: can't create the folder /dev/null/tls"),
        (["env", "--tls-host", "a\nb"], 2, "siwa: \"a\\nb\" is not an address"),
        (["--tls", "--tls-host", "https://x"], 2, "siwa: \"https://x\" is not an address"),
        (["env", "more"], 2, "siwa: unexpected argument 'more'\nhint: "),
        (["--tls-port", "8443"], 2, "siwa: a TLS option needs --tls\nhint: "),
        (["--tls", "--tls-data", "/dev/null/tls"], 1, "siwa: can't create the folder"),
        (["--tls", "--tls-port", "-1"], 2, "siwa: "),
        (["--host", "0.0.0.0:80/"], 2, "siwa: \"0.0.0.0:80/\" is not an address"),
        (["--control-allowed-host", "a b"], 2, "siwa: \"a b\" is not an address"),
    ]

    @Test("Each mistake is told in one line, with a hint", arguments: mistakeTable)
    func mistakes(arguments: [String], code: Int32, words: String) async throws {
        let failed = try await run(["emulator"] + arguments, in: folder)
        #expect(failed.exitCode == code)
        #expect(failed.output.isEmpty)
        #expect(failed.words.hasPrefix(words), "\(failed.words)")
        #expect(failed.words.split(separator: "\n").count == 2, "\(failed.words)")
    }

    @Test("An address of another machine is reported") func anotherMachinesAddress() async throws {
        // https://www.rfc-editor.org/rfc/rfc5737#section-3
        let arguments = ["--tls", "--tls-data", folder.path, "--tls-host", "203.0.113.9"]
        let failed = try await run(["emulator"] + arguments + Self.freePorts, in: folder)
        #expect(failed.exitCode == 1)
        #expect(failed.words.hasPrefix("siwa: can't listen on 203.0.113.9, which is not"))
        #expect(failed.words.split(separator: "\n").last?.hasPrefix("hint: ") == true)
    }

    @Test("The emulator tells where it serves Apple's names") func readyLine() async throws {
        let arguments = ["emulator", "--json", "--tls", "--tls-data", folder.path] + Self.freePorts
        let program = try Program(Workplace.siwa(), arguments: arguments, folder: folder)
        defer { program.end() }
        let line = try await program.waitForOutput("its addresses") { $0.contains("\n") ? $0 : nil }
        let ready = try JSONValue(parsing: Data(line.utf8)).objectValue
        #expect(ready?["tls"]?.stringValue?.hasPrefix("127.0.0.1:") == true)
        #expect(ready?["ca"] == .string(folder.path + "/ca.pem"))
        #expect(try await program.stop() == 0)
        #expect(program.errors.isEmpty)
    }

    @Test("Where there is no home for the keys, that is said once")
    func keysWithoutHome() async throws {
        let ports = ["--port", "0", "--control-port", "0", "--smtp-port", "0"]
        let program = try Program(
            Workplace.siwa(),
            arguments: ["emulator", "--json"] + ports,
            environment: ["HOME": "", "XDG_CACHE_HOME": ""],
            folder: folder
        )
        defer { program.end() }
        _ = try await program.waitForOutput("its addresses") { $0.contains("\n") ? $0 : nil }
        #expect(try await program.stop() == 0)
        let lines = program.errors.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("note: neither HOME nor XDG_CACHE_HOME is set") == true)
    }

    @Test("A port that others can reach is warned of", arguments: [[], ["apple"]])
    func openPorts(names: [String]) async throws {
        let arguments =
            ["emulator", "--json", "--host", "0.0.0.0", "--control-host", "0.0.0.0"]
            + ["--smtp-host", "0.0.0.0"]
            + ["--port", "0", "--control-port", "0", "--smtp-port", "0"]
            + names.flatMap { ["--control-allowed-host", $0] }
        let program = try Program(Workplace.siwa(), arguments: arguments, folder: folder)
        defer { program.end() }
        _ = try await program.waitForOutput("its addresses") { $0.contains("\n") ? $0 : nil }
        #expect(try await program.stop() == 0)
        let lines = program.errors.split(separator: "\n")
        let beginnings =
            [
                "warning: Apple's port listens on 0.0.0.0",
                "warning: the control port listens on 0.0.0.0",
            ] + (names.isEmpty ? ["note: under another name than localhost"] : [])
            + ["warning: the mail relay listens on 0.0.0.0 without TLS"]
        #expect(lines.count == beginnings.count, "\(program.errors)")
        for (line, beginning) in zip(lines, beginnings) {
            #expect(line.hasPrefix(beginning))
        }
    }

    private static let freePorts = [
        "--tls-port", "0", "--port", "0", "--control-port", "0", "--smtp-port", "0",
    ]

    private func run(
        _ arguments: [String],
        in folder: URL
    ) async throws -> (exitCode: Int32, output: String, words: String) {
        let program = try Program(Workplace.siwa(), arguments: arguments, folder: folder)
        defer { program.end() }
        let code = try await program.finish()
        return (code, program.output, program.errors)
    }
}
