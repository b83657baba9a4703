import AppleIdentity

/// What a person's settings do, as the control port asks for it.
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

/// What a device asks of Apple besides credentials.
extension AppleEmulator {
    /// The person signs in to a device; what the device then knows of them.
    package func signInToDevice(
        _ email: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        let fields = try FieldReader(object, known: ["password", "client_id"])
        let password = try fields.text("password")
        guard try currentState.people.require(email).account.password == password else {
            throw .wrong("password", "is not the account's")
        }
        return try device(of: email, clientID: fields.optionalText("client_id"))
    }

    /// What a device knows of the person signed in on it, and of the app that asks.
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

    /// What a device tells of a person and an app, with the number Apple's systems give it.
    ///
    /// The user is the identifier the app has; one that the app's team never had for this person is
    /// not found. Nil takes the person as they are.
    package func numberedCredentialState(
        of email: String,
        clientID: String,
        user: String? = nil
    ) throws(ControlRefusal) -> CredentialState {
        let person = try currentState.people.require(email)
        let client = try currentState.registry.require(clientID)
        let state = person.credentialState(group: client.group)
        guard let user else { return state }
        // After a transfer the app still has the identifier of the team that gave it away.
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
