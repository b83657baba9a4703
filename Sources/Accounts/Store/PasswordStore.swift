import Foundation

/// Accounts that are opened with a password.
package protocol PasswordStore: Sendable {
    /// Makes an account with a password, and opens a session, by the rule of `AccountCreation`.
    ///
    /// - Parameter creation: the account.
    /// - Returns: the session, or why there is none; then nothing was kept.
    /// - Throws: `AccountStoreError`.
    func createAccount(
        _ creation: AccountCreation
    ) async throws(AccountStoreError) -> PasswordOutcome

    /// Counts an attempt before the password is looked at, by the rule of `PasswordAttempt`.
    ///
    /// - Parameter attempt: whose password is tried.
    /// - Returns: what to check the password against, or how long to wait.
    /// - Throws: `AccountStoreError`.
    func beginPasswordCheck(
        _ attempt: PasswordAttempt
    ) async throws(AccountStoreError) -> PasswordChallenge

    /// Opens a session after the password was found right, by the rule of `PasswordSignIn`.
    ///
    /// - Parameter signIn: the account and its session.
    /// - Returns: the session, or why there is none; then nothing was kept.
    /// - Throws: `AccountStoreError`.
    func completePasswordSignIn(
        _ signIn: PasswordSignIn
    ) async throws(AccountStoreError) -> PasswordOutcome

    /// Queues the mails by which a forgotten password is set anew, by the rule of `PasswordResetRequest`.
    ///
    /// - Parameter request: what the person typed.
    /// - Returns: to how many accounts a mail goes, or how long to wait.
    /// - Throws: `AccountStoreError`.
    func requestPasswordReset(
        _ request: PasswordResetRequest
    ) async throws(AccountStoreError) -> PasswordResetOutcome

    /// Looks up the link of a mail that may still be followed, and whose it is.
    ///
    /// - Parameters:
    ///   - hash: the hash of the secret in the link.
    ///   - now: the time.
    /// - Returns: the link and its account, or nil.
    /// - Throws: `AccountStoreError`.
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

    /// Describes a password.
    ///
    /// - Parameters:
    ///   - account: whose it is.
    ///   - hash: the hash with its parameters.
    ///   - changedAt: when it was set.
    package init(account: AccountID, hash: String, changedAt: Date) {
        self.account = account
        self.hash = hash
        self.changedAt = changedAt.inWholeMicroseconds
    }
}
