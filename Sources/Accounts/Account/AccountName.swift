import AppleIdentity

/// What a person wants to be called: one line, and the parts it was joined from.
package struct AccountName: Hashable, Sendable {
    /// The name in one line, which is shown.
    package let text: String
    /// The given name; nil when it was not told apart.
    package let givenName: String?
    /// The family name; nil when it was not told apart.
    package let familyName: String?

    /// Takes a name as a person wrote it, which nobody takes apart.
    package init(_ text: String) { self.init(text: text, givenName: nil, familyName: nil) }

    /// Joins the parts of a name; nil when neither is there.
    package init?(_ parts: PersonName) {
        guard !parts.isEmpty else { return nil }
        self.init(text: parts.displayName, givenName: parts.givenName, familyName: parts.familyName)
    }

    /// Reads a name as a store keeps it.
    package init(text: String, givenName: String?, familyName: String?) {
        self.text = text
        self.givenName = givenName
        self.familyName = familyName
    }
}

extension AccountName: ExpressibleByStringLiteral {
    /// Takes a name that stands in the code.
    package init(stringLiteral text: String) { self.init(text) }
}
