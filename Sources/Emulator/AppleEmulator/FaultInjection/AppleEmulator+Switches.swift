import AppleIdentity

extension AppleEmulator {
    package func switches() -> JSONObject { currentState.switches.object }

    /// Sets switches until a reset.
    ///
    /// A higher `signing_key_count` generates keys at once, a lower one removes keys at once.
    package func changeSwitches(_ object: JSONObject) async throws(ControlRefusal) -> JSONObject {
        await prepareKeys()
        var changed = currentState.switches
        try changed.change(object)
        guard object["signing_key_count"] != nil else {
            currentState.switches = changed
            return changed.object
        }
        let count = changed.signingKeyCount
        let keys = try await makeSigningKeys { count - $0.signingKeys.current.count }
        // Other switches may have been set meanwhile.
        try currentState.switches.change(object)
        currentState.signingKeys.resize(to: count, adding: keys)
        return currentState.switches.object
    }

    /// Resets all switches and the number of keys to the seed.
    package func resetSwitches() async throws(ControlRefusal) -> JSONObject {
        await prepareKeys()
        let keys = try await makeSeededKeys()
        currentState.switches = currentState.seededSwitches
        currentState.signingKeys.resize(to: currentState.switches.signingKeyCount, adding: keys)
        return currentState.switches.object
    }

    /// Generates the keys that are missing for the seed's number.
    func makeSeededKeys() async throws(ControlRefusal) -> [EmulatorSigningKey] {
        try await makeSigningKeys {
            $0.seededSwitches.signingKeyCount - $0.signingKeys.current.count
        }
    }

    /// Generates as many keys as the current state needs, which may change meanwhile.
    func makeSigningKeys(
        _ neededCount: (EmulatorState) -> Int
    ) async throws(ControlRefusal) -> [EmulatorSigningKey] {
        var keys: [EmulatorSigningKey] = []
        while keys.count < neededCount(currentState) {
            keys += try await makeSigningKeys(count: neededCount(currentState) - keys.count)
        }
        return Array(keys.prefix(max(neededCount(currentState), 0)))
    }

    /// Waits for the keys that are generated since the start; later it does nothing.
    ///
    /// If they cannot be generated, requests that sign fail with a reason.
    func prepareKeys() async {
        guard let keysUnderWay else { return }
        let keys = (try? await keysUnderWay.value) ?? []
        // Another caller may have waited too, and finished first.
        guard self.keysUnderWay != nil else { return }
        self.keysUnderWay = nil
        currentState.signingKeys.resize(to: keys.count, adding: keys)
    }

    /// Generates keys; none if the count is not positive.
    func makeSigningKeys(count: Int) async throws(ControlRefusal) -> [EmulatorSigningKey] {
        do {
            return try await EmulatorSigningKey.make(
                count: max(count, 0),
                nameLength: currentState.switches.keyNameLength
            )
        } catch {
            throw ControlRefusal(kind: .malformed, message: "can't generate signing keys: \(error)")
        }
    }
}
