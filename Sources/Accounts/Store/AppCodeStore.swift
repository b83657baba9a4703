/// Codes by which apps come back from the browser.
package protocol AppCodeStore: Sendable {
    /// Keeps a code, by the rule of `AppCodeIssue`; returns whether it was kept; not when the session that confirms
    /// has ended.
    func issueAppCode(_ issue: AppCodeIssue) async throws(AccountStoreError) -> Bool

    /// Exchanges a code for a session, once, by the rule of `AppCodeRedemption`; returns the session, or why there is
    /// none.
    func redeemAppCode(
        _ redemption: AppCodeRedemption
    ) async throws(AccountStoreError) -> AppCodeOutcome
}
