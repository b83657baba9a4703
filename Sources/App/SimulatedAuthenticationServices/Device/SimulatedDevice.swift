import AppleIdentity
import Foundation

/// A simulated device with an Apple Account and one running app.
///
/// The emulator decides everything that Apple would decide. The device simulates the sheets, the
/// list in Settings, stored passwords, and the errors of real devices.
public final class SimulatedDevice: Sendable {
    /// The device of this task, for tests that run in parallel.
    @TaskLocal public static var scoped: SimulatedDevice?

    private static let shared = LockedValue(
        SimulatedDevice(
            app: "com.example.juice",
            service: ControlPortService(address: "http://127.0.0.1:8082"),
            time: .live
        )
    )

    /// The device that the framework's classes use: ``scoped``, or the one set last.
    ///
    /// By default, it is a device with the app `com.example.juice`, and the emulator's control port
    /// is at `http://127.0.0.1:8082`.
    public static var current: SimulatedDevice {
        get { scoped ?? shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// The bundle ID of the running app.
    public let app: ClientID

    let service: any SimulatedAppleService
    let time: TimeSource
    let state: LockedValue<DeviceState>

    /// Creates a device on which no Apple Account is signed in.
    ///
    /// - Parameters:
    ///   - control: the URL of the emulator's control port.
    ///   - app: the bundle ID of the running app.
    public convenience init(control: URL, app: ClientID) {
        self.init(
            app: app,
            service: ControlPortService(address: control.absoluteString),
            time: .live
        )
    }

    /// Creates a device with another service, and a clock that tests can move.
    package init(app: ClientID, service: any SimulatedAppleService, time: TimeSource) {
        self.app = app
        self.service = service
        self.time = time
        state = LockedValue(DeviceState())
    }
}

/// The mutable state of a device.
struct DeviceState: Sendable {
    /// The email address of the signed-in Apple Account.
    var account: String?
    var switches = DeviceSwitches()
    var script: [SheetAnswer] = []
    var presenter: (any SheetPresenter)?
    var browser: (any SimulatedBrowser)?
    /// User names with passwords, the one stored last first.
    var passwords: [StoredPassword] = []
    /// The last known credential state of each user of the app.
    var knownStates: [String: ASAuthorizationAppleIDProvider.CredentialState] = [:]
    var alerts: [SystemAlert] = []
    var sheets: [AuthorizationSheet] = []
    /// The number of the run whose sheet is open.
    var openRun: Int?
    var lastRun = 0

    struct StoredPassword: Sendable {
        let user: String
        let password: String
    }
}

extension SimulatedDevice {
    /// The email address of the signed-in Apple Account; nil if there is none.
    public var account: String? { state.withLock { $0.account } }

    /// The settings that make the device behave unusually, for tests of errors.
    public var switches: DeviceSwitches {
        get { state.withLock { $0.switches } }
        set { state.withLock { $0.switches = newValue } }
    }

    /// Presents the sheets for which ``script(_:)`` has no answer; without it, the request fails with `failed`.
    public var sheet: (any SheetPresenter)? {
        get { state.withLock { $0.presenter } }
        set { state.withLock { $0.presenter = newValue } }
    }

    /// Opens the pages of ``ASWebAuthenticationSession``; without it, sessions fail with `canceledLogin`.
    public var browser: (any SimulatedBrowser)? {
        get { state.withLock { $0.browser } }
        set { state.withLock { $0.browser = newValue } }
    }

    /// The alerts that the system has shown, oldest first.
    public var alerts: [SystemAlert] { state.withLock { $0.alerts } }

    /// Whether a sheet is open.
    public var isShowingSheet: Bool { state.withLock { $0.openRun != nil } }

    /// The sheets that were shown, oldest first.
    public var shownSheets: [AuthorizationSheet] { state.withLock { $0.sheets } }

    /// Adds the user's answers for the next sheets.
    ///
    /// - Parameter answers: one answer for each sheet, after those that are already queued.
    public func script(_ answers: SheetAnswer...) { state.withLock { $0.script += answers } }

    /// Stores a password for the app; it replaces an earlier one of the same user name.
    ///
    /// - Parameters:
    ///   - password: the password to store.
    ///   - user: the user name.
    public func store(password: String, for user: String) {
        state.withLock { state in
            state.passwords.removeAll { $0.user == user }
            state.passwords.insert(.init(user: user, password: password), at: 0)
        }
    }

    /// Removes a stored password.
    ///
    /// - Parameter user: the user name.
    public func removePassword(for user: String) {
        state.withLock { state in state.passwords.removeAll { $0.user == user } }
    }
}

extension SimulatedDevice {
    /// Restores the Apple Account from an earlier run, without its password.
    package func resume(account: String) { state.withLock { $0.account = account } }
}
