import SignInKit

/// A screen of the app, with its fields; every user interface draws the same screens.
public enum JuiceScreen: Hashable, Sendable {
    /// The screen until the app knows whether a user is signed in.
    case launching
    /// The login screen: Apple's button, and the form for a password below it.
    case login(LoginScreen)
    /// The form for a new account with a password.
    case createAccount
    /// The result of a sign-in.
    case result(ResultScreen)
    /// The account, and its settings.
    case account(AccountScreen)
    /// The form for the name.
    case name(current: String)
    /// The list of the account's sessions.
    case sessions([SessionLine])
    /// The form for a password; for the first one of an account, it also has a field for the username.
    case password(PasswordScreen)
    /// The confirmation with the password, before a protected operation.
    case confirmation(username: String)
    /// The effect of a deletion, before it is confirmed.
    case deletion(lead: String)
    /// The task that runs only while the user uses the app at Apple.
    case secureTask(SecureTaskScreen)
    /// An event requires the user to act.
    case attention(Attention)
    /// The session ended, and not by the user here.
    case ended(SignOutReason)
}

/// The screen for signing in.
public struct LoginScreen: Hashable, Sendable {
    /// The username in the form, from a password stored on the device.
    public var username: String?
    /// Whether the user can sign in with a stored password.
    public var hasStoredPassword: Bool
    /// Whether the sign-in in a browser is offered.
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
    /// The email address.
    public var email: String
    /// A notice about the email address.
    public var emailNote: String?
    /// A notice while the server has not confirmed the session; otherwise nil.
    public var unconfirmedNote: String?
}

/// The screen of the account.
public struct AccountScreen: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The email address.
    public var email: String
    /// A notice about the email address.
    public var emailNote: String?
    /// The sign-in methods, in words.
    public var waysIn: [String]
    /// The day on which the account was created.
    public var memberSince: String
    /// A notice while the server has not confirmed the session; otherwise nil.
    public var unconfirmedNote: String?
    /// Whether Apple can be linked.
    public var canLinkApple: Bool
    /// Whether Apple can be unlinked.
    public var canUnlinkApple: Bool
    /// The reason why Apple cannot be unlinked; otherwise nil.
    public var unlinkNote: String?
    /// Whether the account has a password.
    public var hasPassword: Bool
}

/// A line of the list of sessions.
public struct SessionLine: Hashable, Sendable, Identifiable {
    /// The session's identifier, with which it is ended.
    public var id: String
    /// The device's name.
    public var device: String
    /// The day of its last use, in words.
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
