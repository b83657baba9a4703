import Foundation

/// An administrator's search for accounts.
package struct AccountQuery: Hashable, Sendable {
    /// The maximum number of accounts in a response.
    package static let maximumCount = 1000
    /// The maximum length of the search text, in characters.
    package static let maximumTextCharacterCount = 200

    /// Part of the name, email address or username, or the start of the identifier; empty for all accounts.
    package let text: String
    /// The number of accounts to return.
    package let count: Int
    /// The account after which the search starts.
    package let after: AccountID?

    /// Creates a query, with `text` and `count` reduced to their limits.
    package init(text: String = "", count: Int = 50, after: AccountID? = nil) {
        self.text = text.prefix(Self.maximumTextCharacterCount).lowercased()
        self.count = min(max(count, 1), Self.maximumCount)
        self.after = after
    }

    /// Whether an account is a result.
    func matches(_ account: Account) -> Bool {
        guard !text.isEmpty else { return true }
        let words = [account.name?.text, account.email?.text, account.username].compactMap(\.self)
        return account.id.rawValue.hasPrefix(text)
            || words.contains { $0.lowercased().contains(text) }
    }
}

/// A page of search results, in the order of their identifiers.
package struct AccountListing: Hashable, Sendable {
    package let accounts: [Account]
    /// The account after which the next page starts; nil for the last page.
    package let next: AccountID?
}

/// An account and its sessions, for an administrator.
package struct AccountOverview: Hashable, Sendable {
    package let account: Account
    /// The active sessions, the latest used first.
    package let sessions: [Session]
}
