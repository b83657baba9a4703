import AppleIdentity

/// The content of an authorization sheet; a script or a ``SheetPresenter`` answers it.
public struct AuthorizationSheet: Hashable, Sendable {
    /// The kinds of sheets.
    public enum Kind: Hashable, Sendable {
        /// The first authorization, which asks for the requested scopes.
        case firstTime
        /// A later sign-in, with a short sheet.
        case again
        /// A later sign-in with a choice between the Apple Account and a password.
        case appleOrPassword
        /// A sign-in with stored passwords only.
        case password
    }

    /// The kind of the sheet.
    public var kind: Kind
    /// The requesting app.
    public var app: ClientID
    /// The app's display name.
    public var appName: String
    /// The name of the app's developer.
    public var developer: String
    /// The offered Apple Account; nil if only passwords are offered.
    public var account: String?
    /// Whether the sheet asks for a name.
    public var asksName = false
    /// Whether the sheet asks for an email address.
    public var asksEmail = false
    /// The account's name, which the user may change.
    public var name = PersonName()
    /// The email addresses to choose from; the first is the account's.
    public var addresses: [String] = []
    /// Whether the email address can be hidden.
    public var canHideEmail = false
    /// The user names of stored passwords.
    public var passwordUsers: [String] = []

    /// Creates a sheet; the other properties have their defaults.
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

/// The user's action on a sheet.
public enum SheetAnswer: Hashable, Sendable {
    /// Authorizes the app; the name (by default the account's) and `email` count the first time.
    case `continue`(name: PersonName? = nil, email: EmailChoice = .share)
    /// Uses the first offered password.
    case usePassword
    /// Uses the password of a user name.
    case usePasswordOf(String)
    /// Cancels.
    case cancel
    /// Face ID does not recognize the user: the request fails with `failed`.
    case refuseFace
    /// Not an action: the system fails the request with this error.
    case fail(ASAuthorizationError.Code)
}

/// The user's choice of the email address for the app.
public enum EmailChoice: Hashable, Sendable {
    /// The account's email address.
    case share
    /// Another email address of the account.
    case other(String)
    /// A private relay address (Hide My Email).
    case hide
}

/// An alert of the system; the app gets an error at the same time.
public enum SystemAlert: Hashable, Sendable {
    /// No Apple Account is signed in on the device: the alert links to Settings.
    case noAppleAccount
    /// The account has no two-factor authentication.
    case noTwoFactor
}

/// Shows sheets to a user and returns the user's answers, for example in a terminal.
public protocol SheetPresenter: Sendable {
    /// Shows a sheet.
    ///
    /// - Parameter sheet: the content of the sheet.
    /// - Returns: the user's action.
    func present(_ sheet: AuthorizationSheet) async -> SheetAnswer

    /// Shows an alert of the system.
    ///
    /// - Parameter alert: the alert.
    func show(_ alert: SystemAlert) async
}

extension SheetPresenter {
    /// Does nothing, as the default.
    ///
    /// - Parameter alert: the alert, which is ignored.
    public func show(_ alert: SystemAlert) async {}
}
