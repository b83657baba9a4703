import AppleIdentity
import Foundation

/// A change that a person makes to their own account, or proves by the link of a mail.
///
/// Everything random or sealed in it is made beforehand, so that it can be carried out again when the answer
/// was lost.
package struct AccountChange: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// An Apple identity opens the account from now on.
        case linkApple(RedeemedSignIn)
        /// The Apple identity opens it no longer; the entry's name begins those of its revocations.
        case unlinkApple(OutboxID)
        /// Another password, or a first one with a username.
        case changePassword(PasswordChange)
        /// Another address, to be proved by the link of a mail.
        case changeEmail(EmailChange)
        /// The address that waits to be proved is dropped.
        case cancelEmailChange
        /// A session of the account follows the link of a mail to prove an address.
        case verifyEmail(SecretHash)
        /// The link of a mail is followed to set another password, hashed here.
        case resetPassword(SecretHash, hash: String)
    }

    /// A password about to be set.
    package struct PasswordChange: Hashable, Sendable {
        /// The name, for an account that has none yet.
        package let username: Username?
        /// What the current password was checked against; nil when there is none.
        package let checked: StoredPassword?
        /// The new one, hashed.
        package let hash: String
        /// Counts that go on, without the attempt that was right.
        package let returnedThrottles: [ThrottleUse]
        /// What changes of one account's password are counted by.
        package let throttles: [ThrottleUse]

        package init(
            username: Username?,
            checked: StoredPassword?,
            hash: String,
            returnedThrottles: [ThrottleUse] = [],
            throttles: [ThrottleUse] = []
        ) {
            self.username = username
            self.checked = checked
            self.hash = hash
            self.returnedThrottles = returnedThrottles
            self.throttles = throttles
        }
    }

    /// An address about to be proved.
    package struct EmailChange: Hashable, Sendable {
        /// The link that proves it.
        package let token: MailToken
        /// What mails to one account are counted by.
        package let throttles: [ThrottleUse]
        /// The mail that tells the address that was proved before.
        package let warning: MailNotice?

        package init(token: MailToken, throttles: [ThrottleUse], warning: MailNotice? = nil) {
            self.token = token
            self.throttles = throttles
            self.warning = warning
        }
    }

    package let kind: Kind
    /// By what the same change is known again when its answer was lost; random.
    package let mark: SecretHash
    /// Who asks; nil when the link of a mail does.
    package let caller: Caller?
    /// Whose link of a mail asks, as it was looked up before; the link is gone once it was followed.
    package let linkOwner: AccountID?
    /// The mail that goes along.
    package let notice: MailNotice?
    /// Counts of wrong passwords that end with the change.
    package let forgottenThrottles: [SecretHash]
    /// The link by which the owner of the address that is replaced undoes it.
    package var restoration: MailToken?
    /// Who asks, for the audit log.
    package var audit: AuditContext?
    package let now: Date

    /// Who asks for a change.
    package struct Caller: Hashable, Sendable {
        package let account: AccountID
        /// The session that asks.
        package let session: SessionID
        /// When that session's sign-in has to have been; nil when any will do.
        package let signedInSince: Date?

        package init(account: AccountID, session: SessionID, signedInSince: Date?) {
            self.account = account
            self.session = session
            self.signedInSince = signedInSince?.inWholeMicroseconds
        }
    }

    package init(
        kind: Kind,
        mark: SecretHash = .random(),
        caller: Caller?,
        linkOwner: AccountID? = nil,
        notice: MailNotice? = nil,
        forgottenThrottles: [SecretHash] = [],
        now: Date
    ) {
        self.kind = kind
        self.mark = mark
        self.caller = caller
        self.linkOwner = linkOwner
        self.notice = notice
        self.forgottenThrottles = forgottenThrottles
        self.now = now.inWholeMicroseconds
    }

    /// The link whose secret proves the change, if one does.
    package var mailToken: SecretHash? {
        switch kind {
        case .verifyEmail(let hash), .resetPassword(let hash, _): hash
        default: nil
        }
    }

    /// The name that nobody else may have.
    package var username: Username? {
        if case .changePassword(let change) = kind { change.username } else { nil }
    }

    /// The sign-in at Apple that the change rests on.
    package var linking: RedeemedSignIn? {
        if case .linkApple(let apple) = kind { apple } else { nil }
    }

    /// What attempts at the change are counted by.
    package var throttles: [ThrottleUse] {
        switch kind {
        case .changeEmail(let change): change.throttles
        case .changePassword(let change): change.returnedThrottles + change.throttles
        default: []
        }
    }
}

/// What a store knows that a change is decided by; it looks up what the change names, and nothing else.
package struct AccountChangeFacts: Hashable, Sendable {
    /// Whether this very change was carried out already.
    package var isDone: Bool
    /// The caller's account, or that of the link.
    package var account: Account?
    /// The session that asks, when it has not expired.
    package var session: Session?
    package var password: StoredPassword?
    package var refreshTokens: [RefreshToken]
    package var accountOfUsername: AccountID?
    /// The link, when it may still be followed.
    package var mailToken: MailToken?
    /// What is known of the sign-in at Apple; its account is that of the person.
    package var signIn: SignInFacts?
    /// Attempts so far.
    package var throttles: [Throttle]

    package init(
        isDone: Bool = false,
        account: Account? = nil,
        session: Session? = nil,
        password: StoredPassword? = nil,
        refreshTokens: [RefreshToken] = [],
        accountOfUsername: AccountID? = nil,
        mailToken: MailToken? = nil,
        signIn: SignInFacts? = nil,
        throttles: [Throttle] = []
    ) {
        self.isDone = isDone
        self.account = account
        self.session = session
        self.password = password
        self.refreshTokens = refreshTokens
        self.accountOfUsername = accountOfUsername
        self.mailToken = mailToken
        self.signIn = signIn
        self.throttles = throttles
    }
}

/// How a change ended.
package enum AccountChangeOutcome: Hashable, Sendable {
    /// The account as it is now; so many revocations wait in the outbox.
    case changed(Account, revocationCount: Int)
    /// Nothing has changed.
    case refused(AccountChangeRefusal)
}

/// Why an account is not changed.
package enum AccountChangeRefusal: Hashable, Sendable {
    /// The session has ended, or the account is gone.
    case sessionEnded
    /// The session's sign-in is too old.
    case signInTooOld
    /// The sign-in at Apple is refused.
    case signIn(SignInRefusal)
    /// The Apple identity opens another account.
    case linkedElsewhere
    /// Another Apple identity opens the account already.
    case linkExists
    /// There is no Apple identity to unlink.
    case notLinked
    /// The account could not be opened any more.
    case lastWayIn
    /// Another account has the username.
    case usernameTaken
    /// The account needs a username for its first password.
    case usernameMissing
    /// The current password was not the one that was checked.
    case credentialsInvalid
    /// The mail's link has been followed, or is too old.
    case linkInvalid
    /// Nothing is done for so many seconds.
    case wait(seconds: Int)
}
