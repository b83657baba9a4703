import AppleIdentity

/// What a person changes in the settings of their Apple Account.
extension AppleEmulator {
    /// Simulates that a user stops using Sign in with Apple for an app.
    ///
    /// The tokens are revoked, `consent-revoked` is sent, and the next sign-in is a first one.
    ///
    /// - Parameters:
    ///   - email: an email address of the user's account.
    ///   - clientID: any client of the app's group.
    /// - Throws: ``ControlRefusal`` if the user or the client is unknown, or the user does not use
    ///   the app.
    public func stopUsing(_ email: String, clientID: ClientID) async throws(ControlRefusal) {
        await prepareKeys()
        try currentState.stopUsing(email, clientID: clientID.rawValue)
    }

    /// Turns forwarding of a private relay address on or off, and notifies the app of a change.
    ///
    /// - Parameters:
    ///   - email: an email address of the user's account.
    ///   - clientID: any client of the app's group.
    ///   - enabled: whether mail is forwarded.
    /// - Throws: ``ControlRefusal`` if the user or the client is unknown, or the user has no relay
    ///   address for the app.
    public func setForwarding(
        _ email: String,
        clientID: ClientID,
        enabled: Bool
    ) async throws(ControlRefusal) {
        await prepareKeys()
        try currentState.setForwarding(email, clientID: clientID.rawValue, isEnabled: enabled)
    }

    /// Changes the account's password, signs out of all browsers and revokes refresh tokens.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapplerestapi/verifying-a-user)
    /// for the tokens. Other effects at Apple are unknown.
    package func changePassword(of email: String, _ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: ["password", "keep_tokens"])
        let password = try fields.text("password")
        let keepsTokens = try fields.read("keep_tokens", .boolean) ?? false
        let person = try currentState.people.require(email)
        _ = currentState.people.update(person.id) { $0.account.password = password }
        currentState.authorizations.signOut(person.id)
        if !keepsTokens { currentState.grants.endRefreshTokens(of: person.id) }
    }

    /// Simulates that a user deletes the Apple Account.
    ///
    /// The tokens are revoked, and a notification is sent for each app that the user uses.
    ///
    /// - Parameter email: an email address of the user's account.
    /// - Throws: ``ControlRefusal`` if the user is unknown.
    public func deletePerson(_ email: String) async throws(ControlRefusal) {
        await prepareKeys()
        try currentState.deletePerson(email)
    }
}

/// The same operations of the control API.
extension AppleEmulator {
    package func stopUsing(
        _ email: String,
        _ object: JSONObject
    ) async throws(ControlRefusal) -> JSONObject {
        let clientID = try FieldReader(object, known: ["client_id"]).text("client_id")
        try await stopUsing(email, clientID: ClientID(clientID))
        let state = try credentialState(of: email, clientID: ClientID(clientID))
        return ["client_id": .string(clientID), "state": .string(state)]
    }

    package func setForwarding(
        _ email: String,
        _ object: JSONObject
    ) async throws(ControlRefusal) -> JSONObject {
        let fields = try FieldReader(object, known: ["client_id", "enabled"])
        let clientID = try fields.text("client_id")
        let isEnabled = try fields.require("enabled", fields.read("enabled", .boolean))
        try await setForwarding(email, clientID: ClientID(clientID), enabled: isEnabled)
        return ["client_id": .string(clientID), "enabled": .boolean(isEnabled)]
    }
}

extension EmulatorState {
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

    /// Ends the relation of a person and an app group: the next sign-in is a first one.
    mutating func stopUsing(personID: PersonID, group: ClientID) {
        grants.end(personID: personID, group: group)
        _ = people.update(personID) { $0.stopUsing(group: group) }
    }
}
