import Foundation

/// A request to create an account with a username and a password.
package struct AccountCreation: Hashable, Sendable {
    /// The account, with its username.
    package let account: Account
    /// The hashed password.
    package let password: StoredPassword
    package let opening: SessionOpening
    /// The link that verifies the email address, if there is one and mail can be sent.
    package let verification: MailToken?
    /// The mail with that link.
    package let mail: QueuedMail?
    /// The throttles that count that mail.
    package let throttles: [ThrottleUse]

    package init(
        account: Account,
        password: StoredPassword,
        opening: SessionOpening,
        verification: MailToken? = nil,
        mail: QueuedMail? = nil,
        throttles: [ThrottleUse] = []
    ) {
        self.account = account
        self.password = password
        self.opening = opening
        self.verification = verification
        self.mail = mail
        self.throttles = throttles
    }
}

/// A request to check or hash a password, which is throttled because both are expensive.
package struct PasswordAttempt: Hashable, Sendable {
    /// The username; nil when the user typed an invalid one, which the response must not reveal.
    package let username: Username?
    /// The throttles that count attempts.
    package let throttles: [ThrottleUse]
    /// The random key that identifies a repeated attempt, whose result was lost.
    package let idempotencyKey: SecretHash
    package let now: Date

    package init(
        username: Username?,
        throttles: [ThrottleUse],
        idempotencyKey: SecretHash = .random(),
        now: Date
    ) {
        self.username = username
        self.throttles = throttles
        self.idempotencyKey = idempotencyKey
        self.now = now.inWholeMicroseconds
    }
}

/// The password to check against, nil when the username is unknown; or the refusal of a throttled client.
package typealias PasswordChallenge = Result<StoredPassword?, AccountsError>

/// A sign-in after the password was found right.
package struct PasswordSignIn: Hashable, Sendable {
    /// The password that was checked; the sign-in is refused when it was changed in the meantime.
    package let checked: StoredPassword
    /// The new hash of the password, when the cost has changed.
    package let rehashed: String?
    package let opening: SessionOpening
    /// The counts that the right password resets.
    package let forgottenThrottles: [SecretHash]
    /// The counts that stay, but without this attempt.
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

/// A request for password reset links.
package struct PasswordResetRequest: Hashable, Sendable {
    /// The username that the user typed, if it is valid.
    package let username: Username?
    /// The email address that the user typed, in lower case, if it is valid.
    package let address: String?
    /// Links created beforehand, one for each account that may match.
    package let links: [Link]
    /// The throttles that count requests.
    package let throttles: [ThrottleUse]
    /// The random key that identifies a repeated request, whose result was lost.
    package let idempotencyKey = SecretHash.random()
    /// The context of the audit log entries.
    package var audit: AuditContext?
    package let now: Date

    /// A reset link and its mail.
    package struct Link: Hashable, Sendable {
        package let hash: SecretHash
        package let expiresAt: Date
        package let mail: QueuedMail

        package init(hash: SecretHash, expiresAt: Date, mail: QueuedMail) {
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

/// The number of queued emails, which the client does not get, or the refusal of a throttled client.
package typealias PasswordResetOutcome = Result<Int, AccountsError>
