import Testing

@testable import AppleEmulator

@Suite struct SigningKeyRingTests {
    @Test func retainedKeysAreBounded() throws {
        let key = try EmulatorSigningKey(nameLength: 10)
        var ring = SigningKeyRing([key])
        for _ in 0...SigningKeyRing.maximumRetainedCount { ring.rotate(to: [key], keepsOld: true) }
        #expect(ring.retained.count == SigningKeyRing.maximumRetainedCount)
        ring.rotate(to: [key], keepsOld: false)
        #expect(ring.retained.isEmpty)
    }
}
