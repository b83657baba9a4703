import AppleIdentity

/// What a device asks of Apple besides credentials.
extension AppleEmulator {
    /// The person signs in to a device.
    ///
    /// - Parameters:
    ///   - email: an address of the person's.
    ///   - object: `password`, and `client_id` of the app that runs there.
    /// - Returns: what the device knows of them: names, addresses, second factor, apps.
    /// - Throws: ``ControlRefusal`` naming `password` when it is wrong.
    package func signInToDevice(
        _ email: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        try currentState.signInToDevice(email, object)
    }

    /// Tells what a device knows of the person signed in on it.
    ///
    /// - Parameters:
    ///   - email: an address of the person's.
    ///   - clientID: the app that runs there.
    /// - Returns: names, addresses, second factor, apps, and whether this one is among them.
    /// - Throws: ``ControlRefusal`` when either is unknown.
    package func device(
        of email: String,
        clientID: String?
    ) throws(ControlRefusal) -> JSONObject {
        try currentState.device(of: email, clientID: clientID)
    }

    /// Tells what a device would of a person and an app, with the number Apple's systems give it.
    ///
    /// - Parameters:
    ///   - email: the person's address.
    ///   - clientID: an app or Services ID.
    ///   - user: the identifier the app has of the person; nil for whichever.
    /// - Returns: the state; not found when the identifier is another person's.
    /// - Throws: ``ControlRefusal`` when the person or the app is unknown.
    package func numberedCredentialState(
        of email: String,
        clientID: String,
        user: String? = nil
    ) throws(ControlRefusal) -> CredentialState {
        try currentState.credentialState(of: email, clientID: clientID, user: user)
    }
}
