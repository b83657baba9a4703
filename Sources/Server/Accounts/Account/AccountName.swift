import AppleIdentity
import SignInWithApple

/// A display name: one line, and the parts it was joined from.
package struct AccountName: Codable, Hashable, Sendable {
    /// The name in one line, as it is shown.
    package internal(set) var text: String
    /// The given name; nil when the name was given as a whole.
    package internal(set) var givenName: String?
    /// The family name; nil when the name was given as a whole.
    package internal(set) var familyName: String?
}

extension AccountName {
    /// Takes a whole name, which is not divided into parts.
    package init(_ text: String) { self.init(text: text, givenName: nil, familyName: nil) }

    /// Joins the parts of a name; nil when both are missing.
    package init?(_ parts: PersonName) {
        guard !parts.isEmpty else { return nil }
        self.init(text: parts.displayName, givenName: parts.givenName, familyName: parts.familyName)
    }

    /// Checks the parts of a name; throws `name_too_long` or `name_empty`.
    init(checking parts: PersonName) throws(AccountsError) {
        let checked: PersonName?
        do {
            checked = try parts.checked()
        } catch {
            throw .nameTooLong(hint: error.hint)
        }
        guard let name = checked.flatMap({ AccountName($0) }) else {
            throw AccountsError(.nameEmpty, hint: "the name has no visible characters")
        }
        self = name
    }
}

/// A change of a display name.
package enum NameChange: Hashable, Sendable {
    /// Replaces the name; nil removes it.
    case whole(AccountName?)
    /// Replaces the parts that are not nil; a part that contains nil is removed.
    case parts(givenName: String??, familyName: String??)

    /// Returns the name after the change; throws `name_too_long` or `name_empty`.
    func name(after known: AccountName?) throws(AccountsError) -> AccountName? {
        switch self {
        case .whole(let name): return name
        case .parts(let givenName, let familyName):
            let given = givenName ?? known?.givenName
            let family = familyName ?? known?.familyName
            guard given != nil || family != nil else { return nil }
            return try AccountName(checking: PersonName(givenName: given, familyName: family))
        }
    }
}

extension AccountName: ExpressibleByStringLiteral {
    /// Takes a whole name from a literal.
    package init(stringLiteral text: String) { self.init(text) }
}
