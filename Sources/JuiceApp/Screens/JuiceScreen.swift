import SignInKit

/// What the app shows, with the fields of each screen; windows and terminal draw the same.
public enum JuiceScreen: Hashable, Sendable {
    /// The app finds out who is signed in.
    case launching
    /// Apple first, the form below.
    case login(LoginScreen)
    /// The form for a new account with a password.
    case createAccount
    /// The result of a sign-in.
    case result(ResultScreen)
    /// The account, with its changes.
    case account(AccountScreen)
    /// The form for the name.
    case name(current: String)
    /// Where the user is signed in.
    case sessions([SessionLine])
    /// The form for a password; the first one of an account asks for a username.
    case password(PasswordScreen)
    /// The password again, before a protected operation.
    case confirmation(username: String)
    /// The effect of a deletion, before it is confirmed.
    case deletion(lead: String)
    /// The task that asks for the credential state first.
    case secureTask(SecureTaskScreen)
    /// An event requires the user to act.
    case attention(Attention)
}

/// The screen for signing in.
public struct LoginScreen: Hashable, Sendable {
    /// The user name in the form, from a password stored on the device.
    public var username: String?
    /// Whether a stored password waits for the user's consent.
    public var hasStoredPassword: Bool
    /// Whether the way through the browser is offered.
    public var offersBrowser: Bool
}

/// The screen after a sign-in, as the server confirmed it.
public struct ResultScreen: Hashable, Sendable {
    /// Apple's identifier of the user.
    public var identifier: String
    /// The given name.
    public var givenName: String
    /// The family name.
    public var familyName: String
    /// The address.
    public var email: String
    /// A notice about the e-mail address.
    public var emailNote: String?
    /// A notice while the server has not confirmed the session; otherwise nil.
    public var unconfirmedNote: String?
}

/// The screen of the account.
public struct AccountScreen: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The address.
    public var email: String
    /// A notice about the e-mail address.
    public var emailNote: String?
    /// The sign-in methods, in words.
    public var waysIn: [String]
    /// The day on which the account was made.
    public var memberSince: String
    /// A notice while the server has not confirmed the session; otherwise nil.
    public var unconfirmedNote: String?
    /// Whether Apple can be linked.
    public var canLinkApple: Bool
    /// Whether Apple can be unlinked.
    public var canUnlinkApple: Bool
    /// Why Apple can't be unlinked.
    public var unlinkNote: String?
    /// Whether there is a password already.
    public var hasPassword: Bool
}

/// A line of the list of sessions.
public struct SessionLine: Hashable, Sendable, Identifiable {
    /// The session's identifier, with which it is ended.
    public var id: String
    /// The device's name.
    public var device: String
    /// When it was used last, in words.
    public var lastUsed: String
    /// Whether it is this device's session.
    public var isCurrent: Bool
}

/// The screen of the password.
public struct PasswordScreen: Hashable, Sendable {
    /// Whether the account has no password yet and the user also chooses a username.
    public var isFirst: Bool
}

/// The screen of the secure task.
public struct SecureTaskScreen: Hashable, Sendable {
    /// The task's result; nil before it ran.
    public var result: String?
}
