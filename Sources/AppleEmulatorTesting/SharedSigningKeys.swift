import AppleEmulator

/// Keys that all emulators of a test run sign with: making them for each would take seconds.
enum SharedSigningKeys {
    private static let task = Task { try await EmulatorSigningKey.make(count: 3) }

    static func keys() async throws -> [EmulatorSigningKey] { try await task.value }
}
