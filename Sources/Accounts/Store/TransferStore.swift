/// People whose app goes to another team.
package protocol TransferStore: Sendable {
    /// Takes a step of a person to another team, by the rule of `AppleTransferStep`.
    func transfer(_ step: AppleTransferStep) async throws(AccountStoreError) -> AppleTransferOutcome

    /// Lists the accounts that an Apple identity opens, in the order of their identifiers; returns the accounts and
    /// how far each one's transfer is; fewer than the maximum at the end.
    func transferStates(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [AppleTransferState]

    /// Tells how far the transfer of an account's person is; nil when no Apple identity opens the account.
    func transferState(of account: AccountID) async throws(AccountStoreError) -> AppleTransferState?
}
