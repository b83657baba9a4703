import AppleEmulator

/// Signing keys that all emulators of a test run share, because creating keys takes seconds.
enum SharedSigningKeys {
    private static let task = Task { try await EmulatorSigningKey.make(count: 3) }

    static func keys() async throws -> [EmulatorSigningKey] { try await task.value }
}
