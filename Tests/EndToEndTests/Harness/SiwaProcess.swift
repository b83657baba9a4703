import AppleIdentity
import Foundation

/// A running `siwa demo`: the accounts server and the emulated Apple, on free ports.
struct SiwaProcess: Sendable {
    let program: Program
    /// Where browsers find the accounts server.
    let server: URL
    /// Where browsers find Apple.
    let apple: URL
    /// Where tests steer Apple.
    let control: URL

    /// Runs a demo while the body works; it has ended when this returns.
    ///
    /// - Parameters:
    ///   - data: the folder of the database; used again, it is a restart.
    ///   - environment: what the demo gets besides the environment of the tests.
    ///   - body: what to do with it.
    /// - Returns: what the body returns.
    /// - Throws: ``HarnessError`` when the demo does not start, and what the body throws.
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
        // The last part is a line still being written, or nothing.
        for line in output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let object = try? JSONValue(parsing: Data(line.utf8)).objectValue
            if let object, object["event"] == "ready" { return object }
        }
        return nil
    }

    /// The accounts server for programs, whose resolver may not know `*.localhost`.
    var serverForPrograms: URL { server.replacingHost(with: "127.0.0.1") }
}

extension JSONObject {
    /// An address in the line of a program that is ready.
    func address(_ name: String) throws -> URL {
        guard let url = self[name]?.stringValue.flatMap(URL.init(string:)) else {
            throw HarnessError("the ready line has no address \"\(name)\": \(text)")
        }
        return url
    }
}

extension URL {
    /// The same address under another name.
    func replacingHost(with host: String) -> URL {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        components?.host = host
        return components?.url ?? self
    }
}
