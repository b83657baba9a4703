import AppleEmulator
import AppleIdentity
import Foundation
import SignInWithApple

/// A clock for the emulator and the library, which stands still until a test moves it.
public struct TestClock: Sendable {
    package let time: ManualTime

    /// Creates a clock.
    ///
    /// - Parameter now: its first time.
    public init(now: Date = AppleFixture.time) { time = ManualTime(now: now) }

    /// The current time.
    public var now: Date { time.now }

    /// Moves the clock forward, and resumes the tasks that wait for a time that has passed.
    ///
    /// - Parameter duration: the time to add.
    public func advance(by duration: Duration) { time.advance(bySeconds: duration / .seconds(1)) }
}

extension AppleSignIn {
    /// Creates an instance with a test's clock.
    ///
    /// - Parameters:
    ///   - configuration: the client IDs, the key and the service to use.
    ///   - transport: sends the requests to Apple.
    ///   - clock: the clock by which tokens expire.
    public init(configuration: Configuration, transport: AppleTransport, clock: TestClock) {
        self.init(configuration: configuration, transport: transport, time: clock.time.source)
    }
}

extension AppleEmulator {
    /// Creates an emulator with a test's clock.
    ///
    /// - Parameters:
    ///   - seed: the registrations.
    ///   - configuration: the configuration.
    ///   - clock: the clock of the emulator.
    /// - Throws: `SeedError` if entries of the seed are invalid or contradict each other.
    public init(
        seed: Seed = Seed(),
        configuration: EmulatorConfiguration = EmulatorConfiguration(),
        clock: TestClock
    ) async throws {
        try await self.init(seed: seed, configuration: configuration, time: clock.time.source)
    }
}
