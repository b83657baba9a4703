import AppleIdentity
import Foundation

/// A device on which a person is signed in with an Apple Account, and an app that runs on it.
///
/// The emulator's control port decides everything that Apple would; the device has what a phone
/// has: the sheet, the list in Settings, stored passwords, and what goes wrong on phones.
public final class SimulatedDevice: Sendable {
    /// The device of this task, for tests that run side by side.
    @TaskLocal public static var scoped: SimulatedDevice?

    private static let shared = LockedValue(
        SimulatedDevice(
            app: "com.example.juice",
            service: ControlPortService(address: "http://127.0.0.1:8082"),
            time: .live
        )
    )

    /// The device whose framework this process uses: the task's own, or the one set last.
    ///
    /// Until one is set, it is a device of the demo's app, at the usual address of the emulator.
    public static var current: SimulatedDevice {
        get { scoped ?? shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// The app that runs.
    public let app: ClientID

    let service: any SimulatedAppleService
    let time: TimeSource
    let state: LockedValue<DeviceState>

    /// Makes a device on which nobody is signed in.
    ///
    /// - Parameters:
    ///   - control: the address of the emulator's control port.
    ///   - app: the bundle identifier of the app that runs.
    public convenience init(control: URL, app: ClientID) {
        self.init(
            app: app,
            service: ControlPortService(address: control.absoluteString),
            time: .live
        )
    }

    /// The same with another way to Apple, and a clock that tests can move.
    package init(app: ClientID, service: any SimulatedAppleService, time: TimeSource) {
        self.app = app
        self.service = service
        self.time = time
        state = LockedValue(DeviceState())
    }
}

/// What changes on a device.
struct DeviceState: Sendable {
    /// The address of the Apple Account that is signed in.
    var account: String?
    var switches = DeviceSwitches()
    var script: [SheetAnswer] = []
    var presenter: (any SheetPresenter)?
    var browser: (any SimulatedBrowser)?
    /// User names with passwords, the one stored last first.
    var passwords: [StoredPassword] = []
    /// What was heard last of each person the app knows.
    var knownStates: [String: ASAuthorizationAppleIDProvider.CredentialState] = [:]
    var alerts: [SystemAlert] = []
    var sheets: [AuthorizationSheet] = []
    /// The number of the run whose sheet is on the screen.
    var openRun: Int?
    var lastRun = 0

    struct StoredPassword: Sendable {
        let user: String
        let password: String
    }
}

extension SimulatedDevice {
    /// The address of the Apple Account that is signed in; nil for none.
    public var account: String? { state.withLock { $0.account } }

    /// How the device differs from one where all is as it should be.
    public var switches: DeviceSwitches {
        get { state.withLock { $0.switches } }
        set { state.withLock { $0.switches = newValue } }
    }

    /// Shows the sheets for which no answer was written beforehand.
    public var sheet: (any SheetPresenter)? {
        get { state.withLock { $0.presenter } }
        set { state.withLock { $0.presenter = newValue } }
    }

    /// Shows the pages of ``ASWebAuthenticationSession``.
    public var browser: (any SimulatedBrowser)? {
        get { state.withLock { $0.browser } }
        set { state.withLock { $0.browser = newValue } }
    }

    /// The alerts that the system has shown, oldest first.
    public var alerts: [SystemAlert] { state.withLock { $0.alerts } }

    /// Whether a sheet is on the screen.
    public var isShowingSheet: Bool { state.withLock { $0.openRun != nil } }

    /// The sheets that were shown, oldest first.
    public var shownSheets: [AuthorizationSheet] { state.withLock { $0.sheets } }

    /// Writes beforehand what the person does with the next sheets.
    ///
    /// - Parameter answers: one for each sheet; they queue behind those that are there.
    public func script(_ answers: SheetAnswer...) { state.withLock { $0.script += answers } }

    /// Keeps a password for the app; one that is there for the user name is replaced.
    ///
    /// - Parameters:
    ///   - password: the password.
    ///   - user: the user name.
    public func store(password: String, for user: String) {
        state.withLock { state in
            state.passwords.removeAll { $0.user == user }
            state.passwords.insert(.init(user: user, password: password), at: 0)
        }
    }

    /// Forgets a password.
    ///
    /// - Parameter user: the user name.
    public func removePassword(for user: String) {
        state.withLock { state in state.passwords.removeAll { $0.user == user } }
    }
}

extension SimulatedDevice {
    /// Goes on with the Apple Account that was signed in when the device was last switched off.
    package func resume(account: String) { state.withLock { $0.account = account } }
}
