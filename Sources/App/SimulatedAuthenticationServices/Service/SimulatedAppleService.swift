import AppleIdentity

/// The requests of a device to Apple, as operations of the emulator's control port.
package protocol SimulatedAppleService: Sendable {
    /// Checks an account's password: `POST /people/{email}/device`.
    func signIn(
        _ email: String,
        _ request: JSONObject
    ) async throws(SimulatedAppleError) -> JSONObject

    /// Returns what a device knows of an account: `GET /people/{email}/device`.
    func account(of email: String, app: ClientID) async throws(SimulatedAppleError) -> JSONObject

    /// Creates a credential: `POST /people/{email}/credentials`.
    func credential(
        for email: String,
        _ request: JSONObject
    ) async throws(SimulatedAppleError) -> JSONObject

    /// Returns a credential's state: `GET /people/{email}/credential-state`.
    func credentialState(
        of email: String,
        app: ClientID,
        user: String
    ) async throws(SimulatedAppleError) -> JSONObject

    /// Stops the use of an app: `POST /people/{email}/stop-using`.
    func stopUsing(_ app: ClientID, by email: String) async throws(SimulatedAppleError)

    /// Turns forwarding on or off: `POST /people/{email}/forwarding`.
    func setForwarding(
        _ isEnabled: Bool,
        for app: ClientID,
        by email: String
    ) async throws(SimulatedAppleError)
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
