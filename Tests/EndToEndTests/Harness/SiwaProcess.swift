import AppleIdentity
import Foundation

/// A running `siwa demo`: the accounts server and the emulated Apple, on free ports.
struct SiwaProcess: Sendable {
    let program: Program
    /// The accounts server's URL for browsers.
    let server: URL
    /// The emulated Apple's URL for browsers.
    let apple: URL
    /// The emulator's control port.
    let control: URL

    /// Runs a demo during the body, and stops it afterwards.
    ///
    /// - Parameters:
    ///   - data: the folder of the database; the same folder again is a restart.
    ///   - environment: variables in addition to those of the tests.
    ///   - body: the work.
    /// - Returns: the body's result.
    /// - Throws: ``HarnessError`` if the demo does not start, and the errors of the body.
    static func with<Result>(
        data: URL,
        environment: [String: String] = [:],
        _ body: (SiwaProcess) async throws -> Result
    ) async throws -> Result {
        let arguments = [
            "demo", "--json", "--data", data.path, "--port", "0", "--apple-port", "0",
            "--control-port", "0", "--smtp-port", "0",
        ]
        let program = try Program(
            Workplace.siwa(),
            arguments: arguments,
            environment: environment,
            folder: data
        )
        defer { program.end() }
        let ready = try await program.waitForOutput("its addresses", Self.readyLine)
        return try await body(SiwaProcess(program: program, ready: ready))
    }

    private init(program: Program, ready: JSONObject) throws {
        self.program = program
        server = try ready.address("server")
        apple = try ready.address("apple")
        control = try ready.address("control")
    }

    static func readyLine(in output: String) throws -> JSONObject? {
        // The last part is an incomplete line, or empty.
        for line in output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let object = try? JSONValue(parsing: Data(line.utf8)).objectValue
            if let object, object["event"] == "ready" { return object }
        }
        return nil
    }

    /// The accounts server's URL for programs, whose resolver may not know `*.localhost`.
    var serverForPrograms: URL { server.replacingHost(with: "127.0.0.1") }
}

extension JSONObject {
    /// A URL in the line of a program that is ready.
    func address(_ name: String) throws -> URL {
        guard let url = self[name]?.stringValue.flatMap(URL.init(string:)) else {
            throw HarnessError("the ready line has no address \"\(name)\": \(text)")
        }
        return url
    }
}

extension URL {
    /// The URL with another host.
    func replacingHost(with host: String) -> URL {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        components?.host = host
        return components?.url ?? self
    }
}
