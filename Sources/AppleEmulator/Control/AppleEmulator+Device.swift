import AppleIdentity

/// What a device asks of Apple besides credentials.
extension AppleEmulator {
    /// The person signs in to a device.
    package func signInToDevice(
        _ email: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        try currentState.signInToDevice(email, object)
    }

    /// Tells what a device knows of the person signed in on it.
    package func device(of email: String, clientID: String?) throws(ControlRefusal) -> JSONObject {
        try currentState.device(of: email, clientID: clientID)
    }

    /// Tells what a device would of a person and an app, with the number Apple's systems give it.
    package func numberedCredentialState(
        of email: String,
        clientID: String,
        user: String? = nil
    ) throws(ControlRefusal) -> CredentialState {
        try currentState.credentialState(of: email, clientID: clientID, user: user)
    }
}
