import AppleIdentity
import Foundation

extension EmulatorState {
    /// The state that may be shown: without passwords and tokens.
    var object: JSONObject {
        var object: JSONObject = [
            "issuer": .string(switches.issuer), "strict": .boolean(configuration.isStrict),
            "now": .string(clock.now.formatted(.iso8601)),
        ]
        object["signing_keys"] = signingKeys.object["current"]
        object["retained_signing_keys"] = signingKeys.object["retained"]
        object = object.merging(registrations)
        object["people"] = .array(people.all.map { .object($0.object) })
        object["authorizations_next"] = .array(authorizations.decisions.map { .object($0.object) })
        object["faults"] = .array(faults.objects.map { .object($0) })
        object["switches"] = .object(switches.object)
        object["notification_settings"] = .object(notificationSettings.object)
        return object
    }

    var registrations: JSONObject {
        [
            "teams": .array(registry.teams.sortedValues.map { .object($0.object) }),
            "keys": .array(registry.keys.sortedValues.map { .object($0.object) }),
            "apps": .array(registry.apps.sortedValues.map { .object($0.object) }),
            "services": .array(registry.services.sortedValues.map { .object($0.object) }),
            "transfers": .array(transfers.transfers.sortedValues.map { .object($0.object) }),
            "mail_sources": .array(mail.sources.all.map { .object($0.object) }),
        ]
    }

    /// Moves the clock; if it is moved back, removes everything created after its new time.
    mutating func moveClock(_ object: JSONObject) throws(ControlRefusal) {
        let before = clock.now
        try clock.move(object)
        let now = clock.now
        deliveries.clockMoved(to: now)
        guard now < before else { return }
        authorizations.forget(after: now)
        grants.forget(after: now)
        transfers.forget(after: now)
    }
}
