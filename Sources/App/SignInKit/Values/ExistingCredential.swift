/// The result of ``SignInClient/findExistingCredential()``.
public enum ExistingCredential: Hashable, Sendable {
    /// The user agreed to Apple's sheet, and is signed in.
    case signedIn(SignedInPerson)
    /// The user chose a stored password. Show its user name, and call ``SignInClient/signIn(username:password:)``.
    case password(StoredPassword)
}

/// A user name and password from the system's password manager.
public struct StoredPassword: Hashable, Sendable {
    /// The user name.
    public var user: String
    /// The password.
    public var password: String

    /// Creates a stored password.
    ///
    /// - Parameters:
    ///   - user: the user name.
    ///   - password: the password.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension StoredPassword: CustomStringConvertible, CustomReflectable {
    /// A description with the user name only.
    public var description: String { "the password of \(user)" }

    /// Nothing but the user name.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
