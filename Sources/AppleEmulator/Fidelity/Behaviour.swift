/// One thing Apple does, and what the emulator makes of it; together they are FIDELITY.md.
package struct Behaviour: Sendable {
    /// How it is known that Apple does so.
    package enum Mark: String, Sendable {
        /// Apple's documentation says it.
        case documented
        /// People pasted what Apple answered.
        case observed
        /// Neither; the likeliest guess.
        case assumed
    }

    /// What the emulator makes of it.
    package enum Emulation: Sendable {
        /// It does the same, and these tests, as `Suite.function`, would fail if it did not.
        case tested([String])
        /// It does not, for this reason.
        case missing(reason: String)
    }

    package let text: String
    package let mark: Mark
    /// Names of ``FidelitySource``; none for what is assumed.
    package let sources: [FidelitySource]
    /// How a user of the emulator changes it: a seed key, a control route or an option.
    package let control: String?
    package let emulation: Emulation

    /// Whether the emulator does the same.
    package var isEmulated: Bool {
        switch emulation {
        case .tested: true
        case .missing: false
        }
    }

    /// A behaviour the emulator shows.
    static func emulated(
        _ text: String,
        _ mark: Mark,
        from sources: FidelitySource...,
        control: String? = nil,
        tests: String...
    ) -> Behaviour {
        Behaviour(
            text: text,
            mark: mark,
            sources: sources,
            control: control,
            emulation: .tested(tests)
        )
    }

    /// A behaviour of Apple's that the emulator does not show.
    static func missing(
        _ text: String,
        _ mark: Mark,
        from sources: FidelitySource...,
        because reason: String
    ) -> Behaviour {
        Behaviour(
            text: text,
            mark: mark,
            sources: sources,
            control: nil,
            emulation: .missing(reason: reason)
        )
    }
}
