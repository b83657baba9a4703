import AppleIdentity

extension EmulatorState {
    /// All that is kept: not the log of requests, nor sheets that are open.
    var document: StateDocument {
        var document = StateDocument()
        for section in StateSection.all { document[section.name] = section.write(self) }
        return document
    }

    /// What a document says, of an Apple that is configured and seeded as this one.
    ///
    /// - Throws: ``ControlRefusal`` naming the entry and field that is wrong.
    func restored(from document: StateDocument) throws(ControlRefusal) -> EmulatorState {
        try document.checkNames()
        // Switches are set back to this Apple's own, whatever the document's was seeded with.
        var state = try EmulatorState(
            seed: Seed(switches: seededSwitches.object),
            configuration: configuration,
            signingKeys: SigningKeyRing([]),
            time: clock.source
        )
        for section in StateSection.all {
            guard let value = document.value(of: section) else { continue }
            try section.read(value, &state)
        }
        guard !state.signingKeys.current.isEmpty else {
            throw .wrong("signing_keys", "has no key that signs")
        }
        return state
    }
}
