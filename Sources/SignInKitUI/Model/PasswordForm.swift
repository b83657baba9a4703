import Foundation
import SignInKit

/// What stands in the form for a username and a password.
public struct PasswordForm: Hashable, Sendable {
    /// What the form is for.
    public enum Purpose: Hashable, Sendable, CaseIterable {
        /// An account that is there.
        case signIn
        /// A new account.
        case createAccount
    }

    /// What can be typed into.
    public enum Field: Hashable, Sendable, CaseIterable {
        /// The name of a new account.
        case name
        /// The username.
        case username
        /// The password.
        case password
    }

    /// What the form is for.
    public var purpose: Purpose
    /// The name of a new account; it may stay empty.
    public var name = ""
    /// The username.
    public var username = ""
    /// The password.
    public var password = ""

    /// Makes an empty form.
    ///
    /// - Parameter purpose: what it is for.
    public init(purpose: Purpose = .signIn) {
        self.purpose = purpose
    }

    /// The fields to show, in their order.
    public var fields: [Field] {
        purpose == .signIn ? [.username, .password] : [.name, .username, .password]
    }

    /// Where the return key leads; nil when it sends the form.
    ///
    /// - Parameter field: the one that is typed into.
    /// - Returns: the next field.
    public func next(after field: Field) -> Field? {
        fields.drop { $0 != field }.dropFirst().first
    }

    /// Whether there is something to send; what a name or a password has to be, the server knows.
    public var canBeSent: Bool { !sentUsername.isEmpty && !password.isEmpty }

    /// The username without the blanks that keyboards add.
    public var sentUsername: String { username.trimmingCharacters(in: .whitespaces) }

    /// The name to send; nil when there is none.
    public var sentName: String? {
        let name = name.trimmingCharacters(in: .whitespaces)
        return name.isEmpty || purpose == .signIn ? nil : name
    }

    /// Shows a password that the system had stored.
    ///
    /// - Parameter stored: what the person chose.
    public mutating func fill(with stored: StoredPassword) {
        purpose = .signIn
        username = stored.user
        password = stored.password
    }
}

extension PasswordForm: CustomStringConvertible, CustomReflectable {
    /// What the form is for; a password does not belong in a log.
    public var description: String { "a form to \(purpose)" }

    /// Nothing but what the form is for.
    public var customMirror: Mirror { Mirror(self, children: ["purpose": purpose]) }
}
