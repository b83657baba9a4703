import AppleIdentity
import Foundation

/// Queries of the console, in addition to the control API.
extension AppleEmulator {
    /// The emulator's time and the machine's, with their difference.
    package func consoleClock() -> JSONObject {
        let now = currentState.clock.now
        let machine = currentState.clock.source.now
        return [
            "now": .string(now.formatted(.iso8601)),
            "machine": .string(machine.formatted(.iso8601)),
            "offset_seconds": .integer(Int(now.timeIntervalSince(machine).rounded())),
        ]
    }

    package func consoleFacts() -> JSONObject {
        let state = currentState
        let switches = zip(state.switches.object.members, state.seededSwitches.object.members)
        return [
            "issuer": .string(state.switches.issuer), "strict": .boolean(configuration.isStrict),
            "clock_offset_seconds": consoleClock()["offset_seconds"] ?? 0,
            "changed_switches": .integer(switches.count { $0 != $1 }),
            "apps": .integer(state.registry.apps.count),
        ]
    }

    /// A page of the people whose names or email addresses contain a string, in order of creation.
    package func consolePeople(
        matching text: String,
        from start: Int,
        maximumCount: Int,
        ofCheck: Bool = false
    ) -> JSONObject {
        let wanted = text.lowercased()
        let found = currentState.people.all.filter { person in
            person.account.isOfCheck == ofCheck
                && (wanted.isEmpty
                    || ([person.name.displayName, person.account.email]
                        + person.account.otherEmails)
                        .contains { $0.lowercased().contains(wanted) })
        }
        let page = found.dropFirst(start).prefix(maximumCount)
        return Self.list(Array(page), total: found.count)
    }

    private static func list(_ people: [Person], total: Int) -> JSONObject {
        ["total": .integer(total), "people": .array(people.map { .object($0.object) })]
    }

    package func consolePerson(_ email: String) throws(ControlRefusal) -> JSONObject {
        try currentState.people.require(email).object
    }

    /// The registrations by kind, without private keys.
    package func consoleRegistry() -> JSONObject {
        var registrations = currentState.registrations
        let keys = currentState.registry.keys.sortedValues.map { key in
            var object = key.object
            object["is_pair"] = .boolean(key.privateKeyPEM != nil)
            object["private_key_pem"] = nil
            return JSONValue.object(object)
        }
        registrations["keys"] = .array(keys)
        return registrations
    }

    package func consoleSigningKeys() async -> JSONObject {
        await prepareKeys()
        return currentState.signingKeys.object
    }

    /// The switches: topic, name, effect, values with labels, current value, and the seed's value.
    package func consoleSwitches() -> [JSONObject] {
        EmulatorSwitches.groups.flatMap { group in
            group.fields.map { consoleSwitch($0, in: group.title) }
        }
    }

    private func consoleSwitch(_ field: SwitchField, in group: String) -> JSONObject {
        let value = field.value(currentState.switches)
        let seeded = field.value(currentState.seededSwitches)
        let options = field.options.map { option -> JSONObject in
            ["value": .string(option.value), "label": .string(option.label)]
        }
        return [
            "group": .string(group), "name": .string(field.name),
            "about": .string(field.about.replacing("`", with: "")),
            "values": .string(field.values),
            "options": .array(options.map { .object($0) }),
            "is_number": .boolean(value.integerValue != nil), "value": value,
            "usual_value": seeded, "is_changed": .boolean(value != seeded),
        ]
    }

    package static var notificationDefects: [String] { NotificationDefect.allCases.map(\.rawValue) }

    package static var faultEndpoints: [String] { FaultStore.endpointNames }
}
