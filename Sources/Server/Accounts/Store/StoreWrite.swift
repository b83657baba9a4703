import AppleIdentity
import Foundation

/// One change in a store.
///
/// Writes contain no rules: every store performs them as they are.
package enum StoreWrite: Hashable, Sendable {
    /// Inserts an account, with its Apple identity if it has one.
    case insertAccount(Account)
    /// Replaces the values of an existing account; removes its Apple identity if the account has no link.
    case updateAccount(Account)
    /// Deletes an account with its identity, refresh tokens and sessions.
    case removeAccount(AccountID)

    /// Sets or replaces the password of an account.
    case putPassword(StoredPassword)
    /// Deletes the password of an account.
    case removePassword(of: AccountID)
    /// Sets or replaces a count of attempts.
    case putThrottle(Throttle)
    /// Deletes a count of attempts.
    case forgetThrottle(SecretHash)
    /// Stores the link of a mail.
    case putMailToken(MailToken)
    /// Deletes an account's links for a purpose: all, or those that expire at that time or later.
    case removeMailTokens(of: AccountID, purpose: MailToken.Purpose, endingFrom: Date? = nil)

    /// Stores an app's code.
    case putAppCode(AppCode)
    /// Deletes the code with this hash.
    case removeAppCode(SecretHash)
    /// Deletes all codes of an account.
    case removeAppCodes(of: AccountID)

    /// Inserts a session, found by the hash of its token.
    case insertSession(Session, tokenHash: SecretHash)
    /// Ends a session.
    case removeSession(SessionID)
    /// Ends an account's sessions except one, or only those of one sign-in method.
    case removeSessions(of: AccountID, except: SessionID?, openedBy: SignInMethod? = nil)
    /// Saves the use of a session, unless the session has ended or has a later use.
    case recordUse(SessionUse)

    /// Sets or replaces the refresh token of an account for one client.
    case putRefreshToken(RefreshToken, of: AccountID)
    /// Replaces only the encrypted string of an existing refresh token.
    case replaceSealedToken(RefreshToken, of: AccountID)
    /// Deletes an account's refresh token for one client; after the last one, its identity has none.
    case removeRefreshToken(of: AccountID, ClientID)
    /// Deletes all refresh tokens of an account.
    case removeRefreshTokens(of: AccountID)

    /// Sets or replaces the transfer of an account's user to another team.
    case putTransfer(AppleTransfer)
    /// Deletes the transfer of an account.
    case removeTransfer(of: AccountID)

    /// Stores the name from a sign-in that is not completed, because Apple sends it only once.
    case keepName(AccountName, of: ApplePerson, at: Date)
    /// Deletes the stored name of a user.
    case forgetName(of: ApplePerson)

    /// Records the use of the value with this hash, such as an identity token or a nonce.
    case useOnce(SecretHash, rememberedUntil: Date)
    /// Records that an event was processed.
    case rememberEvent(AppleEvent)

    /// Adds or replaces a key of access tokens.
    case putTokenKey(TokenKey)
    /// Deletes a key of access tokens.
    case removeTokenKey(String)

    /// Adds an outbox entry.
    case enqueue(OutboxEntry)
    /// Replaces the task of an existing outbox entry.
    case replaceTask(of: OutboxID, OutboxTask)
    /// Deletes outbox entries.
    case removeEntries([OutboxID])
    /// Deletes queued mail of an account.
    case removeMail(of: AccountID)

    /// Adds an audit log entry, unless it exists.
    case recordAudit(AuditEntry)
    /// Deletes audit log entries.
    case forgetAudit([AuditID])
}

extension StoreWrite {
    /// Records the idempotency key of a call, by which its repetition is recognized; the service repeats a lost call at
    /// once.
    static func remember(_ idempotencyKey: SecretHash, at now: Date) -> StoreWrite {
        .useOnce(idempotencyKey, rememberedUntil: now.addingTimeInterval(3600))
    }
}
