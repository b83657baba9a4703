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

    mutating func stopUsing(_ email: String, clientID: String) throws(ControlRefusal) {
        let person = try people.require(email)
        let client = try registry.require(clientID)
        guard person.consents[client.group] != nil else {
            throw .notFound("client_id", "\(person.account.email) does not use \(clientID)")
        }
        stopUsing(personID: person.id, group: client.group)
        notify(.consentRevoked, about: person, group: client.group)
    }

    mutating func setForwarding(
        _ email: String,
        clientID: String,
        isEnabled: Bool
    ) throws(ControlRefusal) {
        let person = try people.require(email)
        let group = try registry.require(clientID).group
        guard let consent = person.consents[group], consent.email == .hide else {
            throw .notFound(
                "client_id",
                "\(person.account.email) has no relay address for \(clientID)"
            )
        }
        guard isEnabled == person.groupsWithoutForwarding.contains(group) else { return }
        _ = people.update(person.id) { $0.groupsWithoutForwarding.formSymmetricDifference([group]) }
        notify(
            isEnabled ? .emailEnabled : .emailDisabled,
            about: person,
            group: group,
            email: registry.apps[group].flatMap { person.identities[$0.teamID]?.relayAddress }
        )
    }

    mutating func deletePerson(_ email: String) throws(ControlRefusal) {
        let person = try people.require(email)
        grants.end(personID: person.id)
        authorizations.forget(person.id)
        transfers.forget(person.id)
        people.remove(person.id)
        for group in person.consents.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            notify(notificationSettings.accountDeletion, about: person, group: group)
        }
    }
}
