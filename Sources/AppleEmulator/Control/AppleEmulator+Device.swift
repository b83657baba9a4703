import AppleIdentity

/// Operations of the control API on a person's settings.
extension AppleEmulator {
    package func stopUsing(
        _ email: String,
        _ object: JSONObject
    ) async throws(ControlRefusal) -> JSONObject {
        let clientID = try FieldReader(object, known: ["client_id"]).text("client_id")
        try await stopUsing(email, clientID: clientID)
        let state = try credentialState(of: email, clientID: clientID)
        return ["client_id": .string(clientID), "state": .string(state)]
    }

    package func setForwarding(
        _ email: String,
        _ object: JSONObject
    ) async throws(ControlRefusal) -> JSONObject {
        let fields = try FieldReader(object, known: ["client_id", "enabled"])
        let clientID = try fields.text("client_id")
        let isEnabled = try fields.require("enabled", fields.read("enabled", .boolean))
        try await setForwarding(email, clientID: clientID, enabled: isEnabled)
        return ["client_id": .string(clientID), "enabled": .boolean(isEnabled)]
    }

    package func reset(_ object: JSONObject) async throws -> JSONObject {
        _ = try FieldReader(object, known: [])
        try await reset()
        return await state()
    }
}

/// Requests of a device to Apple, except for credentials.
extension AppleEmulator {
    /// Signs a person in to a device, and returns what the device knows about them.
    package func signInToDevice(
        _ email: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        let fields = try FieldReader(object, known: ["password", "client_id"])
        let password = try fields.text("password")
        guard try currentState.people.require(email).account.password == password else {
            throw .wrong("password", "is not the password of the account")
        }
        return try device(of: email, clientID: fields.optionalText("client_id"))
    }

    /// Returns what a device knows about its signed-in person and about the app.
    package func device(of email: String, clientID: String?) throws(ControlRefusal) -> JSONObject {
        let person = try currentState.people.require(email)
        var object: JSONObject = ["email": .string(person.account.email)]
        object["given_name"] = person.account.givenName.map { .string($0) }
        object["family_name"] = person.account.familyName.map { .string($0) }
        object["addresses"] = .array(person.account.addresses.map { .string($0) })
        object["two_factor"] = .boolean(person.account.hasTwoFactor)
        object["managed"] = .boolean(person.account.isManaged)
        if let clientID {
            let client = try currentState.registry.require(clientID)
            object["app"] = [
                "client_id": .string(client.clientID.rawValue), "name": .string(client.name),
                "developer": .string(
                    currentState.registry.teams[client.teamID]?.name ?? client.teamID.rawValue
                ),
                "used": .boolean(person.consents[client.group] != nil),
            ]
        }
        object["apps"] = .array(
            AccountApp.all(of: person, in: currentState.registry).map { .object($0.object) }
        )
        return object
    }

    /// Returns the state that a device reports for a person and an app, with Apple's number.
    ///
    /// `user` is the identifier that the app has. If the app's team never had it for this person,
    /// the state is `notFound`. Nil means the person's current identifier.
    package func numberedCredentialState(
        of email: String,
        clientID: String,
        user: String? = nil
    ) throws(ControlRefusal) -> CredentialState {
        let person = try currentState.people.require(email)
        let client = try currentState.registry.require(clientID)
        let state = person.credentialState(group: client.group)
        guard let user else { return state }
        // After a transfer the app still has the identifier from the previous team.
        let team =
            state == .transferred
            ? currentState.transfers.transfers[client.group]?.fromTeam ?? client.teamID
            : client.teamID
        return person.identities[team]?.userID.rawValue == user ? state : .notFound
    }
}

extension AccountApp {
    fileprivate var object: JSONObject {
        var object: JSONObject = [
            "client_id": .string(group.rawValue), "name": .string(name),
            "developer": .string(developer),
        ]
        switch email {
        case .notShared: object["email"] = "none"
        case .shared(let address):
            object["email"] = "share"
            object["address"] = .string(address)
        case .hidden(let relayAddress, let isForwarded):
            object["email"] = "hide"
            object["address"] = relayAddress.map { .string($0) }
            object["forwarding"] = .boolean(isForwarded)
        }
        return object
    }
}
