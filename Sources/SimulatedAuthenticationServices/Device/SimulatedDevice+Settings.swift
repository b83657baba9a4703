import AppleIdentity
import Foundation

/// What a person does in the device's Settings.
extension SimulatedDevice {
    /// Signs an Apple Account in to the device; the one that is there is signed out.
    ///
    /// - Parameters:
    ///   - email: an address of the account.
    ///   - password: its password, which the emulator checks.
    /// - Throws: ``SimulatedDeviceError``.
    public func signIn(email: String, password: String) async throws(SimulatedDeviceError) {
        let request: JSONObject = ["password": .string(password)]
        let account = try await asking { service throws(SimulatedAppleError) in
            try Self.account(await service.signIn(email, request))
        }
        state.withLock { $0.account = account.email }
    }

    /// Signs the Apple Account out; to the app, whoever comes next is another person.
    public func signOut() { state.withLock { $0.account = nil } }

    /// The apps of the list *Sign in with Apple*, the one used last first.
    ///
    /// - Returns: the first app of each group.
    /// - Throws: ``SimulatedDeviceError``.
    public func apps() async throws(SimulatedDeviceError) -> [ClientID] {
        try await usedApps().map(\.id)
    }

    /// The same with what each app knows.
    ///
    /// - Returns: the apps, the one used last first.
    /// - Throws: ``SimulatedDeviceError``.
    public func usedApps() async throws(SimulatedDeviceError) -> [UsedApp] {
        let email = try signedIn()
        let app = app
        return try await asking { service throws(SimulatedAppleError) in
            try Self.account(await service.account(of: email, app: app)).apps
        }
    }

    /// Stops using Sign in with Apple for an app; when it is the one that runs, it is told.
    ///
    /// - Parameter app: an app of the list.
    /// - Throws: ``SimulatedDeviceError``.
    public func stopUsing(_ app: ClientID) async throws(SimulatedDeviceError) {
        let email = try signedIn()
        try await asking { service throws(SimulatedAppleError) in
            try await service.stopUsing(app, by: email)
        }
        await refresh()
    }

    /// Turns the forwarding of mail to a relay address on or off.
    ///
    /// - Parameters:
    ///   - isEnabled: whether mail is forwarded.
    ///   - app: an app that knows a relay address.
    /// - Throws: ``SimulatedDeviceError``.
    public func setForwarding(
        _ isEnabled: Bool,
        for app: ClientID
    ) async throws(SimulatedDeviceError) {
        let email = try signedIn()
        try await asking { service throws(SimulatedAppleError) in
            try await service.setForwarding(isEnabled, for: app, by: email)
        }
    }

    private func signedIn() throws(SimulatedDeviceError) -> String {
        guard let account else { throw .noAccount }
        return account
    }

    private func asking<Answer>(
        _ question: (any SimulatedAppleService) async throws(SimulatedAppleError) -> Answer
    ) async throws(SimulatedDeviceError) -> Answer {
        do throws(SimulatedAppleError) {
            return try await question(service)
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
    /// What the app knows of the person's address.
    public enum Email: Hashable, Sendable {
        /// Nothing.
        case notShared
        /// The address.
        case shared(String)
        /// A relay address, which leads to the person while mail is forwarded. It is nil after the
        /// app went to a team that has not met the person.
        case hidden(relay: String?, isForwarded: Bool)
    }

    /// The app: the first of its group.
    public let id: ClientID
    /// What people call it.
    public let name: String
    /// Who made it.
    public let developer: String
    /// What it knows of the person's address.
    public let email: Email
}
