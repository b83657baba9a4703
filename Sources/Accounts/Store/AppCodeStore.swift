/// Codes by which apps come back from the browser.
package protocol AppCodeStore: Sendable {
    /// Keeps a code, by the rule of `AppCodeIssue`.
    ///
    /// - Parameter issue: the code.
    /// - Returns: whether it was kept; not when the session that confirms has ended.
    /// - Throws: `AccountStoreError`.
    func issueAppCode(_ issue: AppCodeIssue) async throws(AccountStoreError) -> Bool

    /// Exchanges a code for a session, once, by the rule of `AppCodeRedemption`.
    ///
    /// - Parameter redemption: the code, what the app proved, and the session.
    /// - Returns: the session, or why there is none.
    /// - Throws: `AccountStoreError`.
    func redeemAppCode(
        _ redemption: AppCodeRedemption
    ) async throws(AccountStoreError) -> AppCodeOutcome
}
