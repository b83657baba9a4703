import AppleIdentity
import Foundation
import TestSupport
import Testing

/// The environment for TLS clients, as a user requests it.
@Suite("siwa emulator env and --tls", TemporaryFolder.lending) struct EmulatorEnvironmentTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test("The certificate authority is created once, and kept")
    func makesTheAuthority() async throws {
        let path = folder.appending(path: "new/tls").path
        let options = ["--format", "json", "--tls-port", "443", "--tls-data", path]
        let first = try await Program.run(["emulator", "env"] + options, folder)
        #expect(first.exitCode == 0, "\(first.errors)")
        #expect(first.object["port"] == .integer(443))
        let certificate = try String(contentsOfFile: path + "/ca.pem", encoding: .utf8)
        #expect(first.object["ca"] == .string(path + "/ca.pem"))

        let again = try await Program.run(["emulator", "env"] + options, folder)
        #expect(again.output == first.output && again.errors.isEmpty)
        #expect(try String(contentsOfFile: path + "/ca.pem", encoding: .utf8) == certificate)
    }

    @Test("A damaged certificate authority is replaced with a note") func damaged() async throws {
        try Data("x".utf8).write(to: folder.appending(path: "authority.pem"))
        let arguments = ["emulator", "env", "--tls-data", folder.path]
        let done = try await Program.run(arguments, folder)
        #expect(done.exitCode == 0)
        #expect(done.errors.hasPrefix("note: the certificate authority in "))
        #expect(done.errors.contains("created a new one, which clients must trust"))
    }

    /// Arguments, the exit code, and the beginning of the error.
    private static let mistakeTable: [([String], Int32, String)] = [
        (["env", "--tls-port", "0"], 2, "siwa: 0 is not a port\nhint: "),
        (["env", "--tls-port", "65536"], 2, "siwa: 65536 is not a port\nhint: "),
        (["env", "--tls-port", "https"], 2, "siwa: the value 'https' is invalid"),
        (["env", "--format", "fish"], 2, "siwa: the value 'fish' is invalid"),
        (["env", "--tls-data", ""], 2, "siwa: --tls-data is empty\nhint: "),
        (["env", "--tls-data", "/dev/null/tls"], 1, "siwa: can't create the folder /dev/null/tls"),
        (["env", "--tls-host", "a\nb"], 2, "siwa: \"a\\nb\" is not a host name"),
        (["--tls", "--tls-host", "https://x"], 2, "siwa: \"https://x\" is not a host name"),
        (["env", "more"], 2, "siwa: unexpected argument 'more'\nhint: "),
        (["--tls-port", "8443"], 2, "siwa: a TLS option needs --tls\nhint: "),
        (["--tls", "--tls-data", "/dev/null/tls"], 1, "siwa: can't create the folder"),
        (["--tls", "--tls-port", "-1"], 2, "siwa: "),
        (["--host", "0.0.0.0:80/"], 2, "siwa: \"0.0.0.0:80/\" is not a host name"),
        (["--control-allowed-host", "a b"], 2, "siwa: \"a b\" is not a host name"),
    ]

    @Test("Each mistake is reported in one line, with a hint", arguments: mistakeTable)
    func mistakes(arguments: [String], code: Int32, words: String) async throws {
        let failed = try await Program.run(["emulator"] + arguments, folder)
        #expect(failed.exitCode == code)
        #expect(failed.output.isEmpty)
        #expect(failed.errors.hasPrefix(words), "\(failed.errors)")
        #expect(failed.errors.split(separator: "\n").count == 2, "\(failed.errors)")
    }

    @Test("An IP address elsewhere is reported") func anotherMachinesAddress() async throws {
        // https://www.rfc-editor.org/rfc/rfc5737#section-3
        let arguments = ["--tls", "--tls-data", folder.path, "--tls-host", "203.0.113.9"]
        let failed = try await Program.run(["emulator"] + arguments + Self.freePorts, folder)
        #expect(failed.exitCode == 1)
        #expect(failed.errors.hasPrefix("siwa: can't listen on 203.0.113.9: it is not"))
        #expect(failed.errors.split(separator: "\n").last?.hasPrefix("hint: ") == true)
    }

    @Test("The emulator prints where it serves Apple's host names") func readyLine() async throws {
        let done = try await startAndStop(["--tls", "--tls-data", folder.path] + Self.freePorts)
        #expect(done.object["tls"]?.stringValue?.hasPrefix("127.0.0.1:") == true)
        #expect(done.object["ca"] == .string(folder.path + "/ca.pem"))
        #expect(done.errors.isEmpty)
    }

    private func startAndStop(
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) async throws -> Program.Run {
        let program = try Program(
            Workplace.siwa(),
            arguments: ["emulator", "--json"] + arguments,
            environment: environment,
            folder: folder
        )
        defer { program.end() }
        let line = try await program.waitForOutput("its addresses") { $0.contains("\n") ? $0 : nil }
        let exitCode = try await program.stop()
        #expect(exitCode == 0)
        return Program.Run(exitCode: exitCode, output: line, errors: program.errors)
    }

    @Test("A missing home directory for the keys is reported once")
    func keysWithoutHome() async throws {
        let ports = ["--port", "0", "--control-port", "0", "--smtp-port", "0"]
        let done = try await startAndStop(ports, ["HOME": "", "XDG_CACHE_HOME": ""])
        let lines = done.errors.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("note: neither HOME nor XDG_CACHE_HOME is set") == true)
    }

    @Test("A port that other machines can reach causes a warning", arguments: [[], ["apple"]])
    func openPorts(names: [String]) async throws {
        let arguments =
            ["--host", "0.0.0.0", "--control-host", "0.0.0.0", "--smtp-host", "0.0.0.0"]
            + ["--port", "0", "--control-port", "0", "--smtp-port", "0"]
            + names.flatMap { ["--control-allowed-host", $0] }
        let errors = try await startAndStop(arguments).errors
        let lines = errors.split(separator: "\n")
        let beginnings =
            [
                "warning: Apple's port listens on 0.0.0.0",
                "warning: the control port listens on 0.0.0.0",
            ] + (names.isEmpty ? ["note: the control port responds with 403"] : [])
            + ["warning: the mail relay listens on 0.0.0.0"]
        #expect(lines.count == beginnings.count, "\(errors)")
        for (line, beginning) in zip(lines, beginnings) {
            #expect(line.hasPrefix(beginning))
        }
    }

    private static let freePorts = [
        "--tls-port", "0", "--port", "0", "--control-port", "0", "--smtp-port", "0",
    ]
}
