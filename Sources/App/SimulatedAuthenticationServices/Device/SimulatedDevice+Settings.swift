import AppleIdentity

/// The user's actions in the device's Settings.
extension SimulatedDevice {
    /// Signs an Apple Account in on the device; it replaces the current one.
    ///
    /// - Parameters:
    ///   - email: an email address of the account.
    ///   - password: its password, which the emulator checks.
    /// - Throws: ``SimulatedDeviceError/unknownAccount``, ``SimulatedDeviceError/wrongPassword``,
    ///   or ``SimulatedDeviceError/refused(_:)``, ``SimulatedDeviceError/unreachable(_:)`` or
    ///   ``SimulatedDeviceError/unreadable(_:)`` from the request to the emulator.
    public func signIn(email: String, password: String) async throws(SimulatedDeviceError) {
        let account = try await ask(.signIn(password: password), of: email, Self.account)
        state.withLock { $0.account = account.email }
    }

    /// Signs the Apple Account out.
    public func signOut() { state.withLock { $0.account = nil } }

    /// Returns the apps in the list *Sign in with Apple*, most recently used first.
    ///
    /// - Returns: the first app of each group.
    /// - Throws: ``SimulatedDeviceError/noAccount``, or `refused`, `unreachable` or `unreadable` from the request to
    ///   the emulator.
    public func apps() async throws(SimulatedDeviceError) -> [ClientID] {
        try await usedApps().map(\.id)
    }

    /// Returns the apps in the list *Sign in with Apple* with the email address that each has.
    ///
    /// - Returns: the first app of each group, most recently used first.
    /// - Throws: ``SimulatedDeviceError/noAccount``, or `refused`, `unreachable` or `unreadable` from the request to
    ///   the emulator.
    public func usedApps() async throws(SimulatedDeviceError) -> [UsedApp] {
        try await ask(.account(app: app), of: signedIn(), Self.account).apps
    }

    /// Stops using Sign in with Apple for an app; if it is running, the revocation is posted to it.
    ///
    /// - Parameter app: an app of the list; another app is refused.
    /// - Throws: ``SimulatedDeviceError/noAccount``, or `refused`, `unreachable` or `unreadable` from the request to
    ///   the emulator.
    public func stopUsing(_ app: ClientID) async throws(SimulatedDeviceError) {
        try await ask(.stopUsing(app: app), of: signedIn()) { _ in }
        await refresh()
    }

    /// Turns the forwarding of mail to a relay address on or off.
    ///
    /// - Parameters:
    ///   - isEnabled: whether mail is forwarded.
    ///   - app: an app that has a relay address.
    /// - Throws: ``SimulatedDeviceError/noAccount``, or `refused`, `unreachable` or `unreadable` from the request to
    ///   the emulator.
    public func setForwarding(
        _ isEnabled: Bool,
        for app: ClientID
    ) async throws(SimulatedDeviceError) {
        try await ask(.setForwarding(app: app, isEnabled: isEnabled), of: signedIn()) { _ in }
    }

    private func signedIn() throws(SimulatedDeviceError) -> String {
        guard let account else { throw .noAccount }
        return account
    }

    private func ask<Answer>(
        _ operation: SimulatedAppleOperation,
        of email: String,
        _ read: (JSONObject) throws(SimulatedAppleError) -> Answer
    ) async throws(SimulatedDeviceError) -> Answer {
        do throws(SimulatedAppleError) {
            return try read(try await service.perform(operation, of: email))
        } catch {
            throw SimulatedDeviceError(error)
        }
    }

    static func account(_ object: JSONObject) throws(SimulatedAppleError) -> DeviceAccount {
        do throws(JSONFieldError) {
            return try DeviceAccount(object)
        } catch {
            throw .unreadable(error.description)
        }
    }
}

/// An app of the list *Sign in with Apple* in the device's Settings.
public struct UsedApp: Hashable, Sendable {
    /// The email address that an app has.
    public enum Email: Hashable, Sendable {
        /// The app has no email address.
        case notShared
        /// The user's email address.
        case shared(String)
        /// A private relay address, and whether its mail is forwarded. `relay` is nil after a
        /// transfer to a team whose apps the user has not used.
        case hidden(relay: String?, isForwarded: Bool)
    }

    /// The app: the first of its group.
    public let id: ClientID
    /// The app's display name.
    public let name: String
    /// The name of the app's developer.
    public let developer: String
    /// The email address that the app has.
    public let email: Email
}
