import AppleIdentity
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

    @Test("A rotation and a change of the switch at the same time leave as many keys as it says")
    func rotationWhileSwitched() async throws {
        let configuration = EmulatorConfiguration(signingKeyCount: 2)
        let apple = try await AppleEmulator(configuration: configuration)
        for count in [3, 1, 4] {
            async let rotation = apple.rotateSigningKeys([:])
            async let change = apple.changeSwitches(["signing_key_count": .integer(count)])
            _ = try await (rotation, change)
            #expect(await apple.currentState.signingKeys.current.count == count)
        }
        async let rotation = apple.rotateSigningKeys([:])
        async let reset = apple.resetSwitches()
        _ = try await (rotation, reset)
        #expect(await apple.currentState.signingKeys.current.count == 2)
    }
}
