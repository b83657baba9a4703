import AppleIdentity
import Foundation

/// What the console asks beside the operations of the control port.
extension AppleEmulator {
    /// The time that Apple's clock shows and the machine's, and how far they are apart.
    package func consoleClock() -> JSONObject {
        let now = currentState.clock.now
        let machine = currentState.clock.source.now
        return [
            "now": .string(now.formatted(.iso8601)),
            "machine": .string(machine.formatted(.iso8601)),
            "offset_seconds": .integer(Int(now.timeIntervalSince(machine).rounded())),
        ]
    }

    /// How much of everything there is, and how this Apple behaves.
    package func consoleFacts() -> JSONObject {
        let state = currentState
        let switches = zip(state.switches.object.members, state.seededSwitches.object.members)
        var facts: JSONObject = [
            "issuer": .string(state.switches.issuer),
            "strict": .boolean(configuration.isStrict),
            "clock_offset_seconds": consoleClock()["offset_seconds"] ?? 0,
            "changed_switches": .integer(switches.count { $0 != $1 }),
            "people": .integer(state.people.count),
            "teams": .integer(state.registry.teams.count),
            "apps": .integer(state.registry.apps.count),
            "services": .integer(state.registry.services.count),
            "mails": .integer(state.mail.inbox.count),
            "bounces": .integer(state.mail.bounces.count),
            "notifications": .integer(state.deliveries.deliveries.count),
            "faults": .integer(state.faults.objects.count),
            "requests": .integer(state.log.objects.count),
        ]
        facts["unruly"] = state.roughness.map { .string(String($0.seed)) }
        return facts
    }
}
