import AppleIdentity

/// Changes and removals of registered apps, Services IDs and people.
///
/// A change names only the fields to change; null restores a field's default.
/// Source: [RFC 7396](https://www.rfc-editor.org/rfc/rfc7396)
extension AppleEmulator {
    package func changeApp(
        _ clientID: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        _ = try FieldReader(object, known: SeedApp.changeableNames)
        let app = try currentState.registry.app(clientID)
        let changed = try SeedApp(app.object.merging(object))
        try currentState.checkNotificationURL(of: changed)
        currentState.registry.change(changed)
        return changed.object
    }

    package func changeService(
        _ clientID: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        _ = try FieldReader(object, known: SeedService.changeableNames)
        let service = try currentState.registry.service(clientID)
        let changed = try SeedService(service.object.merging(object))
        try currentState.registry.change(changed)
        return changed.object
    }

    /// Removes an app and the consents of its people; refuses while it has Services IDs or grouped apps.
    package func removeApp(_ clientID: String) throws(ControlRefusal) {
        let app = try currentState.registry.app(clientID)
        try currentState.registry.remove(app)
        currentState.forget(clientID: app.clientID, group: app.primaryClientID ?? app.clientID)
    }

    package func removeService(_ clientID: String) throws(ControlRefusal) {
        let service = try currentState.registry.service(clientID)
        currentState.registry.remove(service)
        currentState.forget(clientID: service.clientID, group: service.primaryClientID)
    }

    /// The app as it is registered.
    package func app(_ clientID: String) throws(ControlRefusal) -> JSONObject {
        try currentState.registry.app(clientID).object
    }

    package func removeKey(_ keyID: String) throws(ControlRefusal) {
        try currentState.registry.removeKey(keyID)
    }

    /// Removes a team with its keys and mail sources, and its people's identities.
    package func removeTeam(_ teamID: String) throws(ControlRefusal) {
        let team = try currentState.registry.team(teamID)
        try currentState.registry.remove(team)
        currentState.people.forget(team.teamID)
        currentState.transfers.forget(team.teamID)
        _ = currentState.mail.sources.remove(nil, teamID: team.teamID)
    }

    /// Removes a domain or address as a mail source of a team, or of every team.
    package func removeMailSource(_ place: String, teamID: String?) throws(ControlRefusal) {
        let teamID = teamID.map { TeamID($0) }
        guard currentState.mail.sources.remove(place, teamID: teamID) else {
            throw .notFound("id", "\(place.prefix(254)) is not a registered mail source")
        }
    }

    /// Changes a person's account; apps keep the email address that they were given.
    package func changePerson(
        _ email: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        _ = try FieldReader(object, known: SeedPerson.changeableNames)
        let person = try currentState.people.require(email)
        let account = try SeedPerson(person.account.object.merging(object))
        try currentState.people.change(person.id, to: account)
        currentState.authorizations.update(account, of: person.id)
        return account.answer
    }
}

extension EmulatorState {
    /// Removes a client's tokens, sign-ins and refreshes; for a primary app, also the group's consents and transfers.
    fileprivate mutating func forget(clientID: ClientID, group: ClientID) {
        grants.end(clientID: clientID)
        authorizations.transactions.removeAll { $0.purpose.request?.client.clientID == clientID }
        authorizations.clearDecisions(for: clientID)
        refreshes.times = refreshes.times.filter { $0.key.clientID != clientID }
        let isGroup = clientID == group
        if isGroup { transfers.forget(group: group) }
        for person in people.all {
            _ = people.update(person.id) { person in
                if isGroup {
                    person.forget(group: group)
                } else if person.consents[group]?.clientID == clientID {
                    person.consents[group]?.clientID = group
                }
            }
        }
    }
}

extension Person {
    fileprivate mutating func forget(group: ClientID) {
        consents[group] = nil
        formerGroups.remove(group)
        groupsWithoutForwarding.remove(group)
        transferredGroups.remove(group)
    }
}
