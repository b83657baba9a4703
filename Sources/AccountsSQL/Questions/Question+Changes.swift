import Accounts
import AppleIdentity
import Foundation

extension Question {
    /// The facts that decide a change of an account.
    mutating func facts(of change: AccountChange) -> Fact<AccountChangeFacts> {
        let isDone = isUsed(change.mark)
        let token = change.mailToken.map { mailToken($0, now: change.now) }
        let throttles = throttles(change.throttles)
        let person = accountFacts(of: change)
        return Fact { answers in
            var facts = AccountChangeFacts.empty
            if let person { facts = try answers[person] }
            facts.isDone = try answers[isDone]
            facts.mailToken = try answers[token]
            facts.throttles = try answers[throttles]
            return facts
        }
    }

    /// Whether a hash was used before.
    mutating func isUsed(_ hash: SecretHash) -> Fact<Bool> {
        exists("used_once WHERE hash = $1", [.bytes(hash.bytes)])
    }

    /// The facts about the account to change; nil when the change names no account.
    private mutating func accountFacts(of change: AccountChange) -> Fact<AccountChangeFacts>? {
        guard let key = change.accountKey else { return nil }
        let account = account(key)
        let session = change.caller.map { liveSession(named: $0.session, now: change.now) }
        let password = password(of: key)
        let tokens = refreshTokens(of: key)
        let other = change.username.map { accountID(named: $0) }
        let holder = change.person.map { self.account(.person($0)) }
        let signIn = change.linking.map { facts(of: $0.attempt) }
        return Fact { answers in
            var facts = AccountChangeFacts.empty
            facts.account = try answers[account]
            facts.session = try answers[session]
            facts.password = try answers[password]
            facts.refreshTokens = try answers[tokens]
            facts.accountOfUsername = try answers[other]
            if let holder { facts.accountOfPerson = try answers[holder]?.id }
            if let signIn { facts.signIn = try answers[signIn] }
            return facts
        }
    }

    /// The facts that decide the exchange of a code.
    mutating func facts(of redemption: AppCodeRedemption) -> Fact<AppCodeFacts> {
        let key = AccountKey.appCode(
            redemption.hash,
            orSession: redemption.opening.newSession.id
        )
        let code = first(
            "SELECT \(AppCodeRow.columns) FROM app_codes WHERE hash = $1",
            [.bytes(redemption.hash.bytes)]
        ) { row in try AppCodeRow.read(row) }
        let account = account(key)
        let confirming = first(
            """
            SELECT \(SessionRow.columns) FROM sessions
            WHERE id = (SELECT session_id FROM app_codes WHERE hash = $1)
            """,
            [.bytes(redemption.hash.bytes)]
        ) { row in try SessionRow.read(row) }
        let sessions = facts(of: redemption.opening, key)
        let throttles = throttles(redemption.throttles)
        return Fact { answers in
            var facts = AppCodeFacts.empty
            facts.code = try answers[code]
            facts.account = try answers[account]
            facts.confirmingSession = try answers[confirming]
            facts.sessions = try answers[sessions]
            facts.throttles = try answers[throttles]
            return facts
        }
    }
}

extension AccountChange {
    /// The caller's account, otherwise that of the link while it is valid.
    fileprivate var accountKey: AccountKey? {
        if let caller { return .id(caller.account) }
        if let mailToken { return .mailToken(mailToken, now: now, orElse: linkOwner) }
        return linkOwner.map { .id($0) }
    }
}
