import AppleEmulator
import AppleEmulatorServer
import ArgumentParser
import Foundation

/// The emulator that the examined server uses: a running one, or one that the check starts.
struct CheckedApple: ParsableArguments {
    /// How long the emulator may take to stop after the check.
    private static let graceDuration = Duration.seconds(2)

    @Option(help: "The URL of the control port of a running emulator that your server uses.")
    var control: String?

    @Option(help: "The URL of its Apple port, if your server redirects to Apple's own host names.")
    var apple: String?

    @Option(help: "Without --control: the seed, with your app, Services ID and public key.")
    var config: String?

    @Option(help: "Without --control: the Apple port, which your server uses.") var port = 8081

    @Option(help: "Without --control: the control port; 0 picks a free one.") var controlPort = 0

    func validate() throws {
        guard control == nil || config == nil else {
            throw ValidationError(
                "--config can't be combined with --control: the running emulator has a seed"
            )
        }
    }

    /// Runs a body with the URL of the control port, and Apple's URL if it was given.
    func serving<Result: Sendable>(
        _ body: @escaping @Sendable (_ control: URL, _ apple: URL?) async throws -> Result
    ) async throws -> Result {
        let given = try apple.map { try address($0, "--apple") }
        if let control { return try await body(try address(control, "--control"), given) }
        let seed = try SeedFile.seed(at: config)
        let configuration = AppleEmulatorServiceConfiguration(
            port: try applePort(),
            controlPort: try PortNumber.resolve(controlPort, option: "--control-port")
        )
        let emulator = try await AppleEmulator(seed: seed)
        let result = try await Program.run(
            logger: ProgramLogger.make("siwa"),
            grace: Self.graceDuration
        ) { (onReady: @escaping @Sendable (EmulatorAddresses) -> Void) in
            AppleEmulatorService(
                emulator: emulator,
                configuration: configuration,
                logger: ProgramLogger.make("siwa.emulator"),
                onReady: onReady
            )
        } during: { addresses in
            try await body(addresses.control, given)
        }
        guard let result else {
            throw CommandFailure("the emulator stopped", hint: "start the check again")
        }
        return result
    }

    /// The port of the emulator that the check starts; explains the error if a running emulator uses it.
    private func applePort() throws -> Int {
        do {
            return try PortNumber.resolve(port)
        } catch let failure as CommandFailure where failure.exitCode == 1 {
            throw CommandFailure(
                failure.message,
                hint: "if your server's emulator runs there, give its control port: "
                    + "--control http://127.0.0.1:8082; otherwise choose another port with --port"
            )
        }
    }

    private func address(_ text: String, _ option: String) throws -> URL {
        let words = "\(text.debugDescription) is not a URL"
        let hint = "give \(option) a URL such as http://127.0.0.1:8082"
        return try .server(text, orUsage: words, hint: hint)
    }
}
