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

    /// Checks a whole name, which has the limits of a name in parts; throws `name_too_long` or `name_empty`.
    init(whole text: String) throws(AccountsError) {
        self.init(try AccountName(checking: PersonName(givenName: text)).text)
    }
}

extension AccountName: ExpressibleByStringLiteral {
    /// Takes a whole name from a literal.
    package init(stringLiteral text: String) { self.init(text) }
}
