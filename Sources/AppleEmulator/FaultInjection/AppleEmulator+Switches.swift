import AppleIdentity

extension AppleEmulator {
    package func switches() -> JSONObject { currentState.switches.object }

    /// Sets switches, until a reset.
    ///
    /// More `signing_key_count` are made at once and sign from then on; fewer are taken away at once.
    package func changeSwitches(_ object: JSONObject) async throws(ControlRefusal) -> JSONObject {
        await prepareKeys()
        var changed = currentState.switches
        try changed.change(object)
        guard object["signing_key_count"] != nil else {
            currentState.switches = changed
            return changed.object
        }
        let keys = try await makeMissingKeys(for: changed.signingKeyCount)
        // Other switches may have been set meanwhile.
        try currentState.switches.change(object)
        currentState.signingKeys.resize(to: changed.signingKeyCount, adding: keys)
        return currentState.switches.object
    }

    /// Sets every switch back to what the seed says, and the number of keys with them.
    package func resetSwitches() async throws(ControlRefusal) -> JSONObject {
        await prepareKeys()
        let keys = try await makeMissingKeys(for: currentState.seededSwitches.signingKeyCount)
        currentState.switches = currentState.seededSwitches
        currentState.signingKeys.resize(to: currentState.switches.signingKeyCount, adding: keys)
        return currentState.switches.object
    }

    /// Makes what is missing for a number of keys.
    ///
    /// Some may be taken away while others are made, so the count is looked at again.
    func makeMissingKeys(for count: Int) async throws(ControlRefusal) -> [EmulatorSigningKey] {
        try await makeSigningKeys { count - $0.signingKeys.current.count }
    }

    /// Makes as many keys as are asked for once they are there, whatever was switched meanwhile.
    func makeSigningKeys(
        _ neededCount: (EmulatorState) -> Int
    ) async throws(ControlRefusal) -> [EmulatorSigningKey] {
        var keys: [EmulatorSigningKey] = []
        while keys.count < neededCount(currentState) {
            keys += try await makeSigningKeys(count: neededCount(currentState) - keys.count)
        }
        return Array(keys.prefix(max(neededCount(currentState), 0)))
    }

    /// Waits for the keys that are made since the start; later it does nothing.
    ///
    /// Keys that can't be made are missed by whoever signs, who says so.
    func prepareKeys() async {
        guard let keysUnderWay else { return }
        let keys = (try? await keysUnderWay.value) ?? []
        // Somebody else may have waited as well, and gone on first.
        guard self.keysUnderWay != nil else { return }
        self.keysUnderWay = nil
        currentState.signingKeys.resize(to: keys.count, adding: keys)
    }

    /// Takes a new key to sign with in the place of one that stays published.
    func renewKey() async {
        currentState.renewsKey = false
        guard let key = try? await makeSigningKeys(count: 1).first else { return }
        currentState.signingKeys.renewOne(with: key)
    }

    /// Makes keys, none for a count that is not positive.
    func makeSigningKeys(count: Int) async throws(ControlRefusal) -> [EmulatorSigningKey] {
        do {
            return try await EmulatorSigningKey.make(
                count: max(count, 0),
                nameLength: currentState.switches.keyNameLength
            )
        } catch {
            throw ControlRefusal(kind: .malformed, message: "no keys can be made: \(error)")
        }
    }
}
