import Foundation

/// Which accounts an administrator wants to see.
package struct AccountQuery: Hashable, Sendable {
    /// How many accounts one answer may have.
    package static let maximumCount = 1000
    /// How long the text to look for may be, in characters.
    package static let maximumTextCharacterCount = 200

    /// What the name, the address or the user name has in it, or the identifier begins with; empty for all.
    package let text: String
    /// How many accounts the answer may have.
    package let count: Int
    /// The account behind which the search begins.
    package let after: AccountID?

    /// Makes a query; what is out of its limits is brought into them.
    package init(text: String = "", count: Int = 50, after: AccountID? = nil) {
        self.text = text.prefix(Self.maximumTextCharacterCount).lowercased()
        self.count = min(max(count, 1), Self.maximumCount)
        self.after = after
    }

    /// Whether an account is among those that are looked for.
    func matches(_ account: Account) -> Bool {
        guard !text.isEmpty else { return true }
        let words = [account.name?.text, account.email?.text, account.username].compactMap(\.self)
        return account.id.rawValue.hasPrefix(text)
            || words.contains { $0.lowercased().contains(text) }
    }
}

/// Some of the accounts that were looked for, in the order of their identifiers.
package struct AccountListing: Hashable, Sendable {
    package let accounts: [Account]
    /// Behind which account the next page begins; nil when there is none.
    package let next: AccountID?
}

/// What an administrator sees of one account.
package struct AccountOverview: Hashable, Sendable {
    package let account: Account
    /// Its live sessions, the latest used first.
    package let sessions: [Session]
}
