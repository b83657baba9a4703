/// What was found at launch without a form: ``SignInClient/findExistingCredential()``.
public enum ExistingCredential: Hashable, Sendable {
    /// The person agreed to Apple's sheet, and is signed in.
    case signedIn(SignedInPerson)
    /// The person chose a stored password: the form shows its user name, and signs in with it.
    case password(StoredPassword)
}

/// A user name and password out of the system's store of passwords.
public struct StoredPassword: Hashable, Sendable {
    /// The user name.
    public var user: String
    /// The password.
    public var password: String

    /// Makes one.
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
    /// The user name; a password does not belong in a log.
    public var description: String { "the password of \(user)" }

    /// Nothing but the user name.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
