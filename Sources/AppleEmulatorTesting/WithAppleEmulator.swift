import AppleEmulator
import AppleIdentity

/// Runs a test against an emulated Apple of its own, in this process and on a clock that stands still.
///
/// - Parameters:
///   - seed: who and what is registered; each team gets a key for the test besides.
///   - configuration: how Apple behaves.
///   - body: the test.
/// - Returns: what the test returns.
/// - Throws: what the test throws, or `SeedError` for a seed that contradicts itself.
public func withAppleEmulator<Result>(
    seed: Seed = .demo(),
    configuration: EmulatorConfiguration = EmulatorConfiguration(),
    _ body: @concurrent (TestApple) async throws -> Result
) async throws -> Result {
    try await body(TestApple(seed: seed, configuration: configuration))
}
