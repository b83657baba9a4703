import AppleIdentity
import SignInWithApple

/// A change of what a user says about themselves; a member that is nil stays as it is.
package struct ProfileChange: Hashable, Sendable {
    package var name: NameChange?

    package init(name: NameChange? = nil) { self.name = name }

    /// Returns the account after the change; throws `name_too_long` or `name_empty`.
    func applied(to account: Account) throws(AccountsError) -> Account {
        var account = account
        if let name { account.name = try name.name(after: account.name) }
        return account
    }

    /// Decides the change; refuses an account that does not exist.
    package func decision(given account: Account?) -> Decision<Result<Account, AccountsError>> {
        Decision { () throws(AccountsError) in
            guard let account else { throw .sessionInvalid }
            let changed = try applied(to: account)
            return Decision(.success(changed), changed == account ? [] : [.updateAccount(changed)])
        }
    }
}

/// A change of a display name.
package enum NameChange: Hashable, Sendable {
    /// Replaces the name by one without given and family name; nil removes it.
    case whole(String?)
    /// Replaces the parts that are not nil; a part that contains nil is removed.
    case parts(givenName: String??, familyName: String??)

    /// Returns the name after the change; throws `name_too_long` or `name_empty`.
    func name(after known: AccountName?) throws(AccountsError) -> AccountName? {
        switch self {
        case .whole(let text):
            return try text.map { text throws(AccountsError) in try AccountName(whole: text) }
        case .parts(let givenName, let familyName):
            let given = givenName ?? known?.givenName
            let family = familyName ?? known?.familyName
            guard given != nil || family != nil else { return nil }
            return try AccountName(checking: PersonName(givenName: given, familyName: family))
        }
    }
}

extension AccountStore {
    /// Changes what a user says about themselves; returns the changed account or the refusal.
    package func changeProfile(
        of account: AccountID,
        _ change: ProfileChange
    ) async throws(AccountStoreError) -> Result<Account, AccountsError> {
        try await database.decide { $0.account(.id(account)).map(change.decision(given:)) }
    }
}

extension AccountsService {
    /// Changes what the user says about themselves and returns the account; throws `name_too_long`, `name_empty`, or
    /// `session_invalid` when the account was just deleted.
    package func changeProfile(
        _ change: ProfileChange,
        requestedBy session: Session
    ) async throws(AccountsError) -> Account {
        try await callStore(await store.changeProfile(of: session.accountID, change)).get()
    }
}
