import AppleEmulator

/// Runs a test with its own emulator, in this process and with a clock that the test sets.
///
/// - Parameters:
///   - seed: the teams, apps, Services IDs and users; each team also gets a test key.
///   - configuration: the emulator's configuration.
///   - clock: the clock of the emulator and of the library that is connected to it.
///   - body: the test, which runs on the caller's actor.
/// - Returns: the result of `body`.
/// - Throws: the error of `body`, or `SeedError` if entries of the seed contradict each other.
@discardableResult
public func withAppleEmulator<Result>(
    seed: Seed = .demo(),
    configuration: EmulatorConfiguration = EmulatorConfiguration(),
    clock: TestClock = TestClock(),
    _ body: (TestApple) async throws -> Result
) async throws -> Result {
    try await body(TestApple(seed: seed, configuration: configuration, clock: clock))
}
