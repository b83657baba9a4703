/// Transfers of users to another team.
package protocol TransferStore: Sendable {
    /// Performs a step of a user's transfer, by the rule of `AppleTransferStep`.
    func transfer(_ step: AppleTransferStep) async throws(AccountStoreError) -> AppleTransferOutcome

    /// Returns accounts that are linked to Apple, with their transfers, in the order of their identifiers; fewer than
    /// the maximum at the end.
    func transferStates(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [AppleTransferState]

    /// Returns the transfer of an account's user; nil when the account is not linked to Apple.
    func transferState(of account: AccountID) async throws(AccountStoreError) -> AppleTransferState?
}
