import AppleIdentity

/// What a device asks of Apple, in the terms of the emulator's control port.
package protocol SimulatedAppleService: Sendable {
    /// Checks an account's password: `POST /people/{email}/device`.
    func signIn(
        _ email: String,
        _ request: JSONObject
    ) async throws(SimulatedAppleError) -> JSONObject

    /// Tells what a device knows of an account: `GET /people/{email}/device`.
    func account(of email: String, app: ClientID) async throws(SimulatedAppleError) -> JSONObject

    /// Makes a credential: `POST /people/{email}/credentials`.
    func credential(
        for email: String,
        _ request: JSONObject
    ) async throws(SimulatedAppleError) -> JSONObject

    /// Tells a credential's state: `GET /people/{email}/credential-state`.
    func credentialState(
        of email: String,
        app: ClientID,
        user: String
    ) async throws(SimulatedAppleError) -> JSONObject

    /// The person stops using an app: `POST /people/{email}/stop-using`.
    func stopUsing(_ app: ClientID, by email: String) async throws(SimulatedAppleError)

    /// The person turns forwarding on or off: `POST /people/{email}/forwarding`.
    func setForwarding(
        _ isEnabled: Bool,
        for app: ClientID,
        by email: String
    ) async throws(SimulatedAppleError)
}

/// Why Apple gave no answer.
package enum SimulatedAppleError: Error, Hashable, Sendable {
    /// It refused: the code of the problem, the field that is wrong, and the reason.
    case refused(code: String, field: String?, message: String)
    /// It can't be reached, or took too long.
    case unreachable(String)
    /// Its answer can't be read.
    case unreadable(String)

    /// Whether there is no such person any more.
    var isUnknownPerson: Bool {
        if case .refused("not_found", "email", _) = self { true } else { false }
    }
}
