import AppleIdentity

/// The requests of a device to Apple, as operations of the emulator's control port.
package protocol SimulatedAppleService: Sendable {
    /// Performs an operation on an Apple Account, and returns the response's object.
    func perform(
        _ operation: SimulatedAppleOperation,
        of email: String
    ) async throws(SimulatedAppleError) -> JSONObject
}

/// An operation of a device on its Apple Account.
package enum SimulatedAppleOperation: Sendable {
    /// Checks the account's password: `POST /people/{email}/device`.
    case signIn(password: String)
    /// Returns what a device knows of the account: `GET /people/{email}/device`.
    case account(app: ClientID)
    /// Creates a credential: `POST /people/{email}/credentials`.
    case credential(JSONObject)
    /// Returns a credential's state: `GET /people/{email}/credential-state`.
    case credentialState(app: ClientID, user: String)
    /// Stops the use of an app: `POST /people/{email}/stop-using`.
    case stopUsing(app: ClientID)
    /// Turns forwarding on or off: `POST /people/{email}/forwarding`.
    case setForwarding(app: ClientID, isEnabled: Bool)
}

/// The reasons why a request to Apple has no result.
package enum SimulatedAppleError: Error, Hashable, Sendable {
    /// The request was refused: the problem's code, the invalid field, and the reason.
    case refused(code: String, field: String?, message: String)
    /// The service can't be reached, or took too long.
    case unreachable(String)
    /// The response is invalid.
    case unreadable(String)

    /// Whether the person does not exist, for example after the account's deletion.
    var isUnknownPerson: Bool {
        if case .refused("not_found", "email", _) = self { true } else { false }
    }
}
