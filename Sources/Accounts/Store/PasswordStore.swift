import Foundation

/// Accounts with a password.
package protocol PasswordStore: Sendable {
    /// Creates an account with a password and a session, by the rule of `AccountCreation`; returns the session or the
    /// refusal.
    func createAccount(
        _ creation: AccountCreation
    ) async throws(AccountStoreError) -> PasswordOutcome

    /// Counts an attempt before the password is checked, by the rule of `PasswordAttempt`; returns the password to
    /// check against or the time to wait.
    func beginPasswordCheck(
        _ attempt: PasswordAttempt
    ) async throws(AccountStoreError) -> PasswordChallenge

    /// Creates a session after the password was found right, by the rule of `PasswordSignIn`; returns the session or
    /// the refusal.
    func completePasswordSignIn(
        _ signIn: PasswordSignIn
    ) async throws(AccountStoreError) -> PasswordOutcome

    /// Queues password reset emails, by the rule of `PasswordResetRequest`; returns their number or the time to wait.
    func requestPasswordReset(
        _ request: PasswordResetRequest
    ) async throws(AccountStoreError) -> PasswordResetOutcome

    /// Looks up a link of a mail that is still valid, and its account.
    func mailToken(
        _ hash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> (token: MailToken, account: Account)?
}

/// A password as a store keeps it.
package struct StoredPassword: Codable, Hashable, Sendable {
    package let account: AccountID
    /// The hash with its salt and parameters.
    package let hash: String
    /// When it was set.
    package let changedAt: Date

    package init(account: AccountID, hash: String, changedAt: Date) {
        self.account = account
        self.hash = hash
        self.changedAt = changedAt.inWholeMicroseconds
    }
}
