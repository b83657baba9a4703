import AppleIdentity
import HTTPTypes

extension EmulatorState {
    /// Answers a request with all that shall go wrong: switches and faults.
    mutating func injectingFaults(
        _ request: HTTPRequest,
        path: String,
        query: String,
        _ route: (inout EmulatorState) -> Outcome
    ) -> Outcome {
        let lasting = switches
        defer {
            switches = lasting
            requestedSwitches = [:]
            chaosTurn = nil
        }
        let turn = chaos?.turn(path: path)
        chaosTurn = turn
        renewsKey = turn?.renewsKey ?? false
        do throws(ControlRefusal) {
            if let turn { try switches.change(turn.switches, isForRequest: true) }
            let overrides = try RequestSwitches(request, query: query)
            if let overrides { try grant(overrides) }
            let fault = overrides?.fault ?? faults.take(path: path)
            var outcome = fault?.outcome ?? turn?.outcome ?? route(&self)
            turn?.alter(&outcome)
            fault?.alter(&outcome.answer)
            if overrides != nil {
                outcome.remark.add(hint: "this request asked for switches of its own")
            } else if !requestedSwitches.names.isEmpty {
                outcome.remark.add(hint: "the sign-in began with switches of its own")
            }
            return outcome
        } catch {
            return Self.refused(error)
        }
    }

    private mutating func grant(_ overrides: RequestSwitches) throws(ControlRefusal) {
        guard !configuration.isStrict else {
            throw ControlRefusal(
                kind: .malformed,
                message: "a strict emulator takes no switches from requests"
            )
        }
        try switches.change(overrides.switches, isForRequest: true)
        requestedSwitches = overrides.switches
    }

    /// Sets the switches that a sign-in began with; what the request at hand asks for comes first.
    mutating func carryOn(_ earlier: JSONObject) {
        guard !earlier.names.isEmpty else { return }
        var all = earlier
        for member in requestedSwitches.members { all[member.name] = member.value }
        // They were taken before, each of them.
        try? switches.change(all, isForRequest: true)
        requestedSwitches = all
    }

    private static func refused(_ refusal: ControlRefusal) -> Outcome {
        .refusal(
            OAuthRefusal(
                .invalidSwitches,
                text: refusal.message,
                reason: refusal.message,
                hint: "GET /switches on the control port lists them"
            )
        )
    }
}
