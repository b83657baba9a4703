import AppleEmulator
import AppleEmulatorServer
import ArgumentParser
import Foundation
import ServiceLifecycle

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

    @Option(help: "Apple's port of that emulator, to which the server points.")
    var port = 8081

    @Option(help: "The control port of that emulator; 0 picks a free one.")
    var controlPort = 0

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
        return try await Self.running(emulator, configuration) { addresses in
            try await body(addresses.control, given)
        }
    }

    private static func running<Result: Sendable>(
        _ emulator: AppleEmulator,
        _ configuration: AppleEmulatorServiceConfiguration,
        _ body: @escaping @Sendable (EmulatorAddresses) async throws -> Result
    ) async throws -> Result {
        let (ready, signal) = AsyncStream.makeStream(of: EmulatorAddresses.self)
        let service = AppleEmulatorService(
            emulator: emulator,
            configuration: configuration,
            logger: ProgramLogger.make("siwa.emulator"),
            onReady: { signal.yield($0) }
        )
        var settings = ServiceGroupConfiguration(
            services: [service],
            logger: ProgramLogger.make("siwa")
        )
        settings.maximumGracefulShutdownDuration = graceDuration
        let group = ServiceGroup(configuration: settings)
        async let end: Void = {
            defer { signal.finish() }
            try await group.run()
        }()
        guard let addresses = await ready.first(where: { _ in true }) else {
            try await end
            throw CommandFailure("the emulator ended", hint: "start the check again")
        }
        do {
            let result = try await body(addresses)
            await group.triggerGracefulShutdown()
            // The check is done, however the emulator ends.
            try? await end
            return result
        } catch {
            await group.triggerGracefulShutdown()
            try? await end
            throw error
        }
    }

    private func address(_ text: String, _ option: String) throws -> URL {
        guard let url = URL(string: text), url.host() != nil else {
            throw CommandFailure.usage(
                "\(text.debugDescription) is not an address",
                hint: "give \(option) one such as http://127.0.0.1:8082"
            )
        }
        return url
    }
}
