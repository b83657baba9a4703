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
    /// The position after which the search starts.
    package let after: AccountPosition?
    /// The time before which accounts are not results; nil for all accounts.
    package let since: Date?
    /// Whether only names are searched, and only for those that begin with the text.
    private let isNameStart: Bool

    /// Creates a query, with `text` and `count` reduced to their limits.
    package init(
        text: String = "",
        count: Int = 50,
        after: AccountPosition? = nil,
        since: Date? = nil,
        isNameStart: Bool = false
    ) {
        self.text = text.prefix(Self.maximumTextCharacterCount).lowercased()
        self.count = min(max(count, 1), Self.maximumCount)
        self.after = after
        self.since = since
        self.isNameStart = isNameStart
    }

    /// Whether an account is a result.
    func matches(_ account: Account) -> Bool {
        guard !text.isEmpty else { return true }
        if isNameStart { return account.name?.text.lowercased().hasPrefix(text) ?? false }
        let words = [account.name?.text, account.email?.text, account.username].compactMap(\.self)
        return account.id.rawValue.hasPrefix(text)
            || words.contains { $0.lowercased().contains(text) }
    }
}

/// The accounts that a text names exactly, or whose names begin with it.
package struct NamedAccounts: Hashable, Sendable {
    /// The maximum number of accounts.
    static let maximumCount = 20

    package enum Match: String, Hashable, Sendable {
        /// One account has the text as its username, and no other account has it as anything else.
        case username
        /// The text is a username, an email address, or the identifier of a user at Apple.
        case exact
        /// Names begin with the text, which anyone can choose.
        case nameStart
    }

    package let accounts: [Account]
    package let match: Match
}

/// A page of search results, the newest account first.
package struct AccountListing: Hashable, Sendable {
    package let accounts: [Account]
    /// The position after which the next page starts; nil for the last page.
    package let next: AccountPosition?
}

/// The position of an account among all, which stays after the account is deleted.
package struct AccountPosition: Hashable, Sendable {
    let createdAt: Date
    let id: String

    package init(of account: Account) {
        (createdAt, id) = (account.createdAt, account.id.rawValue)
    }

    /// Reads a position; nil for a text of another form.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let microseconds = Int64(parts[0]) else { return nil }
        (createdAt, id) = (Date(microseconds: microseconds), String(parts[1]))
    }

    package var text: String { "\(createdAt.microseconds)-\(id)" }
}

/// An account and its sessions, for an administrator.
package struct AccountOverview: Hashable, Sendable {
    package let account: Account
    /// The active sessions, the latest used first.
    package let sessions: [Session]
}
