import AppleIdentity

/// A display name: one line, and the parts it was joined from.
package struct AccountName: Hashable, Sendable {
    /// The name in one line, as it is shown.
    package let text: String
    /// The given name; nil when the name was given as a whole.
    package let givenName: String?
    /// The family name; nil when the name was given as a whole.
    package let familyName: String?

    /// Takes a whole name, which is not divided into parts.
    package init(_ text: String) { self.init(text: text, givenName: nil, familyName: nil) }

    /// Joins the parts of a name; nil when both are missing.
    package init?(_ parts: PersonName) {
        guard !parts.isEmpty else { return nil }
        self.init(text: parts.displayName, givenName: parts.givenName, familyName: parts.familyName)
    }

    /// Restores a name from a store.
    package init(text: String, givenName: String?, familyName: String?) {
        self.text = text
        self.givenName = givenName
        self.familyName = familyName
    }
}

extension AccountName: ExpressibleByStringLiteral {
    /// Takes a whole name from a literal.
    package init(stringLiteral text: String) { self.init(text) }
}
