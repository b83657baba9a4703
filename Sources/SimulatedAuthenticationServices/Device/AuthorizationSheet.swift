import AppleIdentity

/// What a sheet of the device shows; a script or a ``SheetPresenter`` answers it.
public struct AuthorizationSheet: Hashable, Sendable {
    /// What the sheet is about.
    public enum Kind: Hashable, Sendable {
        /// The person meets the app: name and address are asked, if the app wants them.
        case firstTime
        /// The person comes back: a short sheet.
        case again
        /// The person comes back and chooses between the Apple Account and a password.
        case appleOrPassword
        /// The device has passwords, and the Apple Account does not come into question.
        case password
    }

    /// What the sheet is about.
    public var kind: Kind
    /// The app that asks.
    public var app: ClientID
    /// What people call the app.
    public var appName: String
    /// Who made the app.
    public var developer: String
    /// The Apple Account that is offered; nil when only passwords are.
    public var account: String?
    /// Whether the person is asked for a name.
    public var asksName = false
    /// Whether the person is asked for an address.
    public var asksEmail = false
    /// The account's name, which the person may change.
    public var name = PersonName()
    /// The addresses to choose from, the account's own first.
    public var addresses: [String] = []
    /// Whether the address can be hidden.
    public var canHideEmail = false
    /// The user names whose passwords the device keeps.
    public var passwordUsers: [String] = []

    /// Makes a sheet.
    public init(
        kind: Kind,
        app: ClientID,
        appName: String,
        developer: String = "",
        account: String? = nil
    ) {
        self.kind = kind
        self.app = app
        self.appName = appName
        self.developer = developer
        self.account = account
    }
}

/// What a person does with a sheet.
public enum SheetAnswer: Hashable, Sendable {
    /// Agrees; name and address count the first time only. Without a name the account's is told.
    case `continue`(name: PersonName? = nil, email: EmailChoice = .share)
    /// Takes the first password that is offered.
    case usePassword
    /// Takes the password of a user name.
    case usePasswordOf(String)
    /// Closes the sheet.
    case cancel
    /// Is not recognized by the camera, or refuses to be.
    case refuseFace
    /// Nothing the person does: the system ends the run so.
    case fail(ASAuthorizationError.Code)
}

/// Which address a person lets the app know.
public enum EmailChoice: Hashable, Sendable {
    /// The account's own.
    case share
    /// Another one of the account's.
    case other(String)
    /// One of Apple's relay, which leads to the person.
    case hide
}

/// What the system tells the person beside the app, which hears an error at the same time.
public enum SystemAlert: Hashable, Sendable {
    /// Nobody is signed in to the device: the alert leads to Settings.
    case noAppleAccount
    /// The account has no two-factor authentication.
    case noTwoFactor
}

/// Shows sheets to a person and brings their answers: a terminal, for example.
public protocol SheetPresenter: Sendable {
    /// Shows a sheet.
    ///
    /// - Parameter sheet: what it shows.
    /// - Returns: what the person does.
    func present(_ sheet: AuthorizationSheet) async -> SheetAnswer

    /// Shows an alert of the system; the app does not wait for it.
    ///
    /// - Parameter alert: what it says.
    func show(_ alert: SystemAlert) async
}

extension SheetPresenter {
    /// Shows nothing.
    ///
    /// - Parameter alert: what it would say.
    public func show(_ alert: SystemAlert) async {}
}
