import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    mutating func injectingFaults(
        _ request: HTTPRequest,
        path: String,
        query: String,
        body: Result<Data, RequestProblem>,
        _ route: (inout EmulatorState) -> Outcome
    ) -> Outcome {
        let lasting = switches
        defer {
            switches = lasting
            requestedSwitches = [:]
        }
        do throws(ControlRefusal) {
            let overrides = try RequestSwitches(request, query: query)
            if let overrides { try grant(overrides) }
            let fault =
                overrides?.fault
                ?? faults.next(path: path) { Self.clientID(query: query, body: body) }
            var outcome = fault?.outcome ?? route(&self)
            fault?.alter(&outcome.answer)
            if overrides != nil {
                outcome.remark.add(hint: "this request set its own switches")
            } else if !requestedSwitches.names.isEmpty {
                outcome.remark.add(hint: "the sign-in was started with its own switches")
            }
            return outcome
        } catch {
            return Self.refused(error)
        }
    }

    /// The client that a request names in its form or its query.
    private static func clientID(query: String, body: Result<Data, RequestProblem>) -> ClientID? {
        let form = (try? body.get()).flatMap { try? FormFields(parsing: Array($0)) }
        let name = form?["client_id"] ?? (try? FormFields(parsing: query.utf8))?["client_id"]
        return name.map { ClientID($0) }
    }

    private mutating func grant(_ overrides: RequestSwitches) throws(ControlRefusal) {
        guard !configuration.isStrict else {
            throw .malformed("a strict emulator accepts no switches in requests")
        }
        try switches.change(overrides.switches, isForRequest: true)
        requestedSwitches = overrides.switches
    }

    /// Sets the switches of the sign-in; those of the current request take precedence.
    mutating func carryOn(_ earlier: JSONObject) {
        guard !earlier.names.isEmpty else { return }
        let all = earlier.merging(requestedSwitches)
        // They were valid when the sign-in began.
        try? switches.change(all, isForRequest: true)
        requestedSwitches = all
    }

    private static func refused(_ refusal: ControlRefusal) -> Outcome {
        .refusal(
            OAuthRefusal(.invalidSwitches, text: refusal.message, reason: refusal.message)
                .hint("GET /switches on the control port lists the switches")
        )
    }
}
