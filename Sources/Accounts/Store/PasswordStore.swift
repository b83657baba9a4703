import Foundation

/// Accounts that are opened with a password.
package protocol PasswordStore: Sendable {
    /// Makes an account with a password, and opens a session, by the rule of `AccountCreation`; returns the session,
    /// or why there is none; then nothing was kept.
    func createAccount(
        _ creation: AccountCreation
    ) async throws(AccountStoreError) -> PasswordOutcome

    /// Counts an attempt before the password is looked at, by the rule of `PasswordAttempt`; returns what to check
    /// the password against, or how long to wait.
    func beginPasswordCheck(
        _ attempt: PasswordAttempt
    ) async throws(AccountStoreError) -> PasswordChallenge

    /// Opens a session after the password was found right, by the rule of `PasswordSignIn`; returns the session, or
    /// why there is none; then nothing was kept.
    func completePasswordSignIn(
        _ signIn: PasswordSignIn
    ) async throws(AccountStoreError) -> PasswordOutcome

    /// Queues the mails by which a forgotten password is set anew, by the rule of `PasswordResetRequest`; returns to
    /// how many accounts a mail goes, or how long to wait.
    func requestPasswordReset(
        _ request: PasswordResetRequest
    ) async throws(AccountStoreError) -> PasswordResetOutcome

    /// Looks up the link of a mail that may still be followed, and whose it is; returns the link and its account, or
    /// nil.
    func mailToken(
        _ hash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> (token: MailToken, account: Account)?
}

/// A password as a store keeps it.
package struct StoredPassword: Hashable, Sendable {
    /// Whose it is.
    package let account: AccountID
    /// The hash with its parameters.
    package let hash: String
    /// When it was set.
    package let changedAt: Date

    package init(account: AccountID, hash: String, changedAt: Date) {
        self.account = account
        self.hash = hash
        self.changedAt = changedAt.inWholeMicroseconds
    }
}
