import AppleIdentity
import Foundation

extension Query {
    /// The facts that decide a change of an account.
    mutating func facts(of change: AccountChange) -> QueryResult<AccountChangeFacts> {
        let isDone = isUsed(change.idempotencyKey)
        let token = change.mailToken.map { mailToken($0, now: change.now) }
        let throttles = throttles(change.throttles)
        let person = accountFacts(of: change)
        return QueryResult { results in
            var facts = AccountChangeFacts()
            if let person { facts = try results[person] }
            facts.isDone = try results[isDone]
            facts.mailToken = try results[token]
            facts.throttles = try results[throttles]
            return facts
        }
    }

    /// Whether a hash was used before.
    mutating func isUsed(_ hash: SecretHash) -> QueryResult<Bool> {
        exists("used_once WHERE hash = $1", [.bytes(hash.bytes)])
    }

    /// The facts about the account to change; nil when the change names no account.
    private mutating func accountFacts(of change: AccountChange) -> QueryResult<AccountChangeFacts>?
    {
        guard let key = change.accountKey else { return nil }
        let account = account(key)
        let session = change.caller.map { liveSession(named: $0.session, now: change.now) }
        let password = change.readsPassword ? password(of: key) : nil
        let tokens = change.readsRefreshTokens ? refreshTokens(of: key) : nil
        let other = change.username.map { accountID(named: $0) }
        let holder = change.person.map { self.account(.person($0)) }
        let signIn = change.linking.map { facts(of: $0) }
        return QueryResult { results in
            var facts = AccountChangeFacts()
            facts.account = try results[account]
            facts.session = try results[session]
            facts.password = try results[password]
            if let tokens { facts.refreshTokens = try results[tokens] }
            facts.accountOfUsername = try results[other]
            if let holder { facts.accountOfPerson = try results[holder]?.id }
            if let signIn { facts.signIn = try results[signIn] }
            return facts
        }
    }
}

extension AccountChange {
    /// Whether the rule reads the password: to compare it, or to keep it for the link that undoes the change.
    fileprivate var readsPassword: Bool {
        switch kind {
        case .changePassword, .undo: true
        case .linkApple, .unlinkApple, .removePassword, .verifyEmail: undoLink != nil
        case .changeEmail, .cancelEmailChange, .resetPassword: false
        }
    }

    /// Whether the rule reads the refresh tokens, which it revokes.
    fileprivate var readsRefreshTokens: Bool {
        switch kind {
        case .unlinkApple, .undo: true
        default: false
        }
    }

    /// The caller's account, otherwise that of the link while it is valid.
    fileprivate var accountKey: AccountKey? {
        if let caller { return .id(caller.account) }
        if let mailToken { return .mailToken(mailToken, now: now, orElse: linkOwner) }
        return linkOwner.map { .id($0) }
    }
}
