import Foundation

/// An account about to be made by who chose a name and a password.
package struct AccountCreation: Hashable, Sendable {
    /// The account, with its username.
    package let account: Account
    /// The hashed password.
    package let password: StoredPassword
    package let opening: SessionOpening
    /// The link that proves the address, when there is one and mail can be sent.
    package let verification: MailToken?
    /// The mail with that link.
    package let mail: MailNotice?

    package init(
        account: Account,
        password: StoredPassword,
        opening: SessionOpening,
        verification: MailToken? = nil,
        mail: MailNotice? = nil
    ) {
        self.account = account
        self.password = password
        self.opening = opening
        self.verification = verification
        self.mail = mail
    }
}

/// A password about to be tried, or hashed: both are work that nobody may ask for without end.
package struct PasswordAttempt: Hashable, Sendable {
    /// The account's name; nil when what was typed can't be one, which nobody must notice.
    package let username: Username?
    /// What attempts are counted by.
    package let throttles: [ThrottleUse]
    /// By what the same attempt is known again when its answer was lost; random.
    package let mark: SecretHash
    package let now: Date

    package init(
        username: Username?,
        throttles: [ThrottleUse],
        mark: SecretHash = .random(),
        now: Date
    ) {
        self.username = username
        self.throttles = throttles
        self.mark = mark
        self.now = now.inWholeMicroseconds
    }
}

/// What an attempt has to be checked against.
package enum PasswordChallenge: Hashable, Sendable {
    /// This password; nil when nobody has the name.
    case check(StoredPassword?)
    /// Nothing is looked at for so many seconds.
    case wait(seconds: Int)
}

/// A sign-in whose password was found right.
package struct PasswordSignIn: Hashable, Sendable {
    /// What the password was checked against; refused when it has been changed meanwhile.
    package let checked: StoredPassword
    /// The password hashed anew, when its cost has changed.
    package let rehashed: String?
    package let opening: SessionOpening
    /// Counts that end with the right password.
    package let forgottenThrottles: [SecretHash]
    /// Counts that go on, without the attempt that was right.
    package let returnedThrottles: [ThrottleUse]

    package init(
        checked: StoredPassword,
        rehashed: String?,
        opening: SessionOpening,
        forgottenThrottles: [SecretHash],
        returnedThrottles: [ThrottleUse] = []
    ) {
        self.checked = checked
        self.rehashed = rehashed
        self.opening = opening
        self.forgottenThrottles = forgottenThrottles
        self.returnedThrottles = returnedThrottles
    }
}

/// How a sign-in with a password ended, or the making of an account.
package enum PasswordOutcome: Hashable, Sendable {
    /// There is a session now.
    case signedIn(SignedInSession)
    /// Another account has the username.
    case usernameTaken
    /// The password has been changed, or the account is gone.
    case credentialsInvalid
}

/// A person who forgot their password.
package struct PasswordResetRequest: Hashable, Sendable {
    /// The name they typed, when it can be one.
    package let username: Username?
    /// The address they typed, in lower case, when it is one.
    package let address: String?
    /// Links made beforehand, one for each account that may be meant.
    package let links: [Link]
    /// What requests are counted by.
    package let throttles: [ThrottleUse]
    /// Who asks, for the audit log.
    package var audit: AuditContext?
    package let now: Date

    /// A link that may be sent.
    package struct Link: Hashable, Sendable {
        package let hash: SecretHash
        /// Until when it may be followed.
        package let expiresAt: Date
        package let mail: MailNotice

        package init(hash: SecretHash, expiresAt: Date, mail: MailNotice) {
            self.hash = hash
            self.expiresAt = expiresAt.inWholeMicroseconds
            self.mail = mail
        }
    }

    package init(
        username: Username?,
        address: String?,
        links: [Link],
        throttles: [ThrottleUse],
        now: Date
    ) {
        self.username = username
        self.address = address
        self.links = links
        self.throttles = throttles
        self.now = now.inWholeMicroseconds
    }
}

/// What came of such a request; nobody outside is told whether there is an account.
package enum PasswordResetOutcome: Hashable, Sendable {
    /// So many mails are queued.
    case queued(count: Int)
    /// Nothing is done for so many seconds.
    case wait(seconds: Int)
}
