import AppleIdentity
import Foundation

/// What a rule decided: the answer, and what has to be written for it to be true.
package struct Decision<Answer: Sendable>: Sendable {
    /// What the caller is told once the writes are durable.
    package let answer: Answer
    /// What the store writes, in this order, in the transaction that read the facts; none for a refusal.
    package let writes: [StoreWrite]

    package init(_ answer: Answer, _ writes: [StoreWrite] = []) {
        self.answer = answer
        self.writes = writes
    }
}

/// One change of what a store keeps.
///
/// Writes hold no rule: every store carries them out as they are.
package enum StoreWrite: Hashable, Sendable {
    /// A new account, with its Apple identity when it has one.
    case insertAccount(Account)
    /// An account that is there, as it is from now on; without a link its Apple identity goes.
    case updateAccount(Account)
    /// The account goes, with its identity, refresh tokens and sessions.
    case removeAccount(AccountID)

    /// The password of an account, in place of the one before.
    case putPassword(StoredPassword)
    /// Attempts that are counted together, in place of the count before.
    case putThrottle(Throttle)
    /// The count starts anew.
    case forgetThrottle(SecretHash)
    /// The link of a mail may be followed.
    case putMailToken(MailToken)
    /// Links of an account for one purpose are good for nothing any more; all, or those that end then or later.
    case removeMailTokens(of: AccountID, purpose: MailToken.Purpose, endingFrom: Date? = nil)

    /// An app may come back with the code.
    case putAppCode(AppCode)
    /// The code of this hash is used up.
    case removeAppCode(SecretHash)
    /// Codes of an account are good for nothing any more.
    case removeAppCodes(of: AccountID)

    /// A new session, found by the hash of its token.
    case insertSession(Session, tokenHash: SecretHash)
    /// A session ends.
    case removeSession(SessionID)
    /// All sessions of an account end but one, or all of one way in.
    case removeSessions(of: AccountID, except: SessionID?, openedBy: SignInMethod? = nil)
    /// A session was used; one that has ended meanwhile, or was used later, stays as it is.
    case recordUse(SessionUse)

    /// The refresh token of an account for one client, in place of the one before.
    case putRefreshToken(RefreshToken, of: AccountID)
    /// A refresh token that is there is sealed by another key; nothing else of it changes.
    case replaceSealedToken(RefreshToken, of: AccountID)
    /// An account's refresh token for one client is worth nothing any more.
    case removeRefreshToken(of: AccountID, ClientID)
    /// All refresh tokens of an account are worth nothing any more.
    case removeRefreshTokens(of: AccountID)

    /// The transfer of an account's person to another team, in place of the one before.
    case putTransfer(AppleTransfer)
    /// The person has arrived.
    case removeTransfer(of: AccountID)

    /// The name of a person whose sign-in has begun; Apple tells it only once.
    case keepName(AccountName, of: ApplePerson, at: Date)
    /// The name that was kept is in the account, or the person is gone.
    case forgetName(of: ApplePerson)

    /// The identity token or the nonce of this hash is used up, and remembered until then.
    case useOnce(SecretHash, rememberedUntil: Date)
    /// The event was acted on.
    case rememberEvent(AppleEvent)

    /// Something to be done outside, at least once.
    case enqueue(OutboxEntry)
    /// An entry that is there does the same by other secrets; one that is gone stays so.
    case replaceTask(of: OutboxID, OutboxTask)
    /// Entries that are not to be done any more.
    case removeEntries([OutboxID])
    /// Mail to an account is not to be sent any more.
    case removeMail(of: AccountID)

    /// A line of the audit log; one that is there stays as it is.
    case recordAudit(AuditEntry)
    /// Old lines of the audit log are forgotten.
    case forgetAudit([AuditID])
}

/// A session's latest use.
package struct SessionUse: Hashable, Sendable {
    package let session: SessionID
    package let lastUsedAt: Date
    /// When it ends from then on.
    package let expiresAt: Date

    package init(session: SessionID, lastUsedAt: Date, expiresAt: Date) {
        self.session = session
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
    }
}

/// A refresh token from Apple, sealed.
package struct RefreshToken: Hashable, Sendable, Codable {
    /// What the token is sealed for: a name made before the account was found, so that sealing needs no
    /// transaction.
    package let id: RefreshTokenID
    /// The client the token was issued to.
    package let clientID: ClientID
    /// The token, sealed for its name and client.
    package let sealedToken: String
    package let receivedAt: Date

    package init(id: RefreshTokenID, clientID: ClientID, sealedToken: String, receivedAt: Date) {
        self.id = id
        self.clientID = clientID
        self.sealedToken = sealedToken
        self.receivedAt = receivedAt
    }
}
