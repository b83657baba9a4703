import Foundation

/// A request to create an account with a username and a password.
package struct AccountCreation: Hashable, Sendable {
    /// The account, with its username.
    package let account: Account
    /// The hashed password.
    package let password: StoredPassword
    package let opening: SessionOpening
    /// The link that verifies the email address, if there is one and mail can be sent.
    package var verification: MailToken?
    /// The mail with that link.
    package var mail: QueuedMail?
    /// The throttles that count that mail.
    package var throttles: [ThrottleUse] = []
}

/// A request to check or hash a password, which is throttled because both are expensive.
package struct PasswordAttempt: Hashable, Sendable {
    /// The usernames of the accounts that are meant; none when the user typed an invalid one, which the response must
    /// not reveal.
    package let usernames: [Username]
    /// The throttles that count attempts.
    package let throttles: [ThrottleUse]
    /// The random key that identifies a repeated attempt, whose result was lost.
    package var idempotencyKey = SecretHash.random()
    package let now: Date
}

/// The password of each username, nil when the username is unknown; or the refusal of a throttled client.
package typealias PasswordChallenge = Result<[StoredPassword?], AccountsError>

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
    package var returnedThrottles: [ThrottleUse] = []
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
    }
}

/// The number of queued emails, which the client does not get, or the refusal of a throttled client.
package typealias PasswordResetOutcome = Result<Int, AccountsError>
