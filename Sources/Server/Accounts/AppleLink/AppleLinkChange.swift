import AppleIdentity
import Foundation

/// The changes that link an account to an Apple identity and unlink it.
extension AccountChange {
    func link(
        _ check: SignInCheck,
        _ refreshToken: RefreshToken?,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) throws(AccountsError) -> Changed {
        guard let signIn = facts.signIn else { throw .sessionInvalid }
        if let refusal = check.refusal(given: signIn) { throw refusal }
        if let other = signIn.account, other.id != before.id { throw .appleLinkedElsewhere }
        if let link = before.apple, link.person != check.person { throw .appleLinkExists }
        let account = check.account(before, refreshToken, at: now, given: signIn)
        return (
            account,
            [.updateAccount(account)] + check.writes(to: account.id, refreshToken, given: signIn)
                + notified(account, before, account.email?.key != before.email?.key, facts)
        )
    }

    func unlink(
        _ entryID: OutboxID,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) throws(AccountsError) -> Changed {
        guard let apple = before.apple else { throw .appleNotLinked }
        guard before.username != nil else { throw .lastWayIn }
        let account = before.unlinked(by: caller?.session, at: now)
        let told = notified(before, before, !before.mayAddressBeStrange(to: facts.session), facts)
        let entries = facts.refreshTokens.revocations(
            entryID,
            of: apple.person,
            after: before.relayed(told.enqueued.first),
            at: now
        )
        return (
            account,
            entries.map { .enqueue($0) }
                + [.removeRefreshTokens(of: account.id), .updateAccount(account)]
                + [
                    apple.person.consentEnded(by: entryID, at: now),
                    .removeSessions(of: account.id, except: caller?.session, openedBy: .apple),
                    // A code that the remaining session confirmed would create another one.
                    .removeAppCodes(of: account.id),
                ]
                + (account.pendingEmail == nil
                    ? [.removeMailTokens(of: account.id, purpose: .verification)] : [])
                + told
        )
    }
}

extension Sequence where Element == RefreshToken {
    /// A revocation for each token, with identifiers derived from one.
    func revocations(
        _ id: OutboxID,
        of person: ApplePerson?,
        after mail: OutboxID? = nil,
        at time: Date
    ) -> [OutboxEntry] {
        enumerated().map { index, token in
            OutboxEntry(
                id: OutboxID("\(id)-\(index)"),
                task: .revocation(token),
                person: person?.hash,
                waitsFor: mail,
                createdAt: time
            )
        }
    }
}
