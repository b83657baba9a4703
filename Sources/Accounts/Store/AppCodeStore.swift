/// The authorization codes of apps.
package protocol AppCodeStore: Sendable {
    /// Stores a code, by the rule of `AppCodeIssue`; returns false when the session that confirms has ended.
    func issueAppCode(_ issue: AppCodeIssue) async throws(AccountStoreError) -> Bool

    /// Exchanges a code for a session, once, by the rule of `AppCodeRedemption`; returns the session or the refusal.
    func redeemAppCode(
        _ redemption: AppCodeRedemption
    ) async throws(AccountStoreError) -> AppCodeOutcome
}
