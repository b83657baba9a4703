import AppleEmulator
import AppleEmulatorServer
import ArgumentParser
import Foundation

/// The emulator that an examined server takes for Apple: one that runs, or one for the check alone.
struct CheckedApple: ParsableArguments {
    /// How long the emulator may take to end after the check.
    private static let graceDuration = Duration.seconds(2)

    @Option(help: "The control port of an emulator that runs, to which the server points.")
    var control: String?

    @Option(
        help:
            "Where that emulator's Apple is, for a server that sends browsers to Apple's own names."
    )
    var apple: String?

    @Option(help: "The seed of an emulator for this check: your app, Services ID and public key.")
    var config: String?

    @Option(help: "Apple's port of that emulator, to which the server points.") var port = 8081

    @Option(help: "The control port of that emulator; 0 picks a free one.") var controlPort = 0

    /// Lends the control port, and Apple's address where it is known.
    func serving<Result: Sendable>(
        _ body: @escaping @Sendable (_ control: URL, _ apple: URL?) async throws -> Result
    ) async throws -> Result {
        let given = try apple.map { try address($0, "--apple") }
        if let control { return try await body(try address(control, "--control"), given) }
        let seed = try SeedFile.seed(at: config)
        let configuration = AppleEmulatorServiceConfiguration(
            port: try PortNumber.resolve(port),
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
            throw CommandFailure("the emulator ended", hint: "start the check again")
        }
        return result
    }

    private func address(_ text: String, _ option: String) throws -> URL {
        let words = "\(text.debugDescription) is not an address"
        let hint = "give \(option) one such as http://127.0.0.1:8082"
        return try .server(text, orUsage: words, hint: hint)
    }
}
