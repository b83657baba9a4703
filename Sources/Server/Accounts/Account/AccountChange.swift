import AppleIdentity
import Foundation

/// A change of an account by its user, with a session or the link of a mail.
///
/// Its random and encrypted values are created beforehand, and the call can be repeated when its result was lost.
package struct AccountChange: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Links an Apple identity, with the refresh token if Apple sent one.
        case linkApple(SignInCheck, RefreshToken?)
        /// Unlinks the Apple identity; the identifiers of its revocations start with this one.
        case unlinkApple(OutboxID)
        /// Changes the password, or sets the first one with a username.
        case changePassword(PasswordChange)
        /// Removes the password and the username; the throttles count changes of the password.
        case removePassword([ThrottleUse])
        /// Starts a change of the email address, which the link of a mail completes.
        case changeEmail(EmailChange)
        /// Drops the pending email address.
        case cancelEmailChange
        /// Verifies an email address with the link of a mail and a session of the account.
        case verifyEmail(SecretHash)
        /// Sets a new password, already hashed, with the link of a mail.
        case resetPassword(SecretHash, hash: String)
        /// Undoes a change with the link of a mail, and restores the former password or sets a new one; the identifiers
        /// of its revocations start with this one.
        case undo(MailToken, hash: String?, OutboxID)
    }

    /// A link that undoes the change, with its mail to the email address before the change.
    package struct UndoLink: Hashable, Sendable {
        package let hash: SecretHash
        package let address: String
        package let mail: QueuedMail
    }

    package let kind: Kind
    /// The random key that identifies a repeated change, whose result was lost.
    package var idempotencyKey = SecretHash.random()
    /// The requesting session; nil for a change with only the link of a mail.
    package let caller: Caller?
    /// The owner of the link, looked up beforehand, because the link is deleted when it is used.
    package var linkOwner: AccountID?
    /// The mail about the change.
    package var mail: QueuedMail?
    /// The counts of wrong passwords that the change resets.
    package var forgottenThrottles: [SecretHash] = []
    /// The link that undoes the change; its mail then replaces the notice.
    package var undoLink: UndoLink?
    /// The context of the audit log entry.
    package var audit: AuditContext?
    package let now: Date

    /// The session that requests a change.
    package struct Caller: Hashable, Sendable {
        package let account: AccountID
        package let session: SessionID
        /// The earliest allowed sign-in time of the session; nil to allow any.
        package let signedInSince: Date?

        /// Refuses a session that has ended, and an old sign-in where it must be recent.
        func check(_ session: Session?) throws(AccountsError) {
            guard let session, session.accountID == account else { throw .sessionInvalid }
            if let signedInSince, session.signedInAt < signedInSince { throw .recentSignInRequired }
        }
    }

    /// The hash of the link that authorizes the change; nil for a change without a link.
    package var mailToken: SecretHash? {
        switch kind {
        case .verifyEmail(let hash), .resetPassword(let hash, _): hash
        case .undo(let token, _, _): token.hash
        default: nil
        }
    }

    /// The new username, which must be unique.
    package var username: Username? {
        switch kind {
        case .changePassword(let change): change.username
        case .undo(let token, _, _): token.snapshot?.account.username.map(Username.init(stored:))
        default: nil
        }
    }

    /// The Apple identity to restore, which no other account may have.
    package var person: ApplePerson? {
        if case .undo(let token, _, _) = kind { token.snapshot?.account.apple?.person } else { nil }
    }

    /// The sign-in at Apple of a new link.
    package var linking: SignInCheck? {
        if case .linkApple(let check, _) = kind { check } else { nil }
    }

    /// The throttles that count attempts at the change.
    package var throttles: [ThrottleUse] {
        switch kind {
        case .changeEmail(let change): change.throttles
        case .changePassword(let change): change.returnedThrottles + change.throttles
        case .removePassword(let throttles): throttles
        default: []
        }
    }
}

/// The facts that decide a change; a store looks up only what the change refers to.
package struct AccountChangeFacts: Hashable, Sendable {
    /// Whether this same change was already made.
    package var isDone = false
    /// The account of the caller or of the link.
    package var account: Account?
    /// The requesting session, when it has not expired.
    package var session: Session?
    package var password: StoredPassword?
    package var refreshTokens: [RefreshToken] = []
    package var accountOfUsername: AccountID?
    /// The account that has the Apple identity to restore.
    package var accountOfPerson: AccountID?
    /// The link, when it is still valid.
    package var mailToken: MailToken?
    /// The facts about the sign-in at Apple; their account is that of the Apple user.
    package var signIn: SignInFacts?
    /// The counts of attempts.
    package var throttles: [Throttle] = []
}

/// The changed account or the refusal.
package typealias AccountChangeOutcome = Result<Account, AccountsError>
