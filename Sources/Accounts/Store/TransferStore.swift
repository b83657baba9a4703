import AppleIdentity

/// People whose app goes to another team.
package protocol TransferStore: Sendable {
    /// Takes a step of a person to another team, by the rule of `AppleTransferStep`.
    ///
    /// - Parameter step: the step.
    /// - Returns: what came of it.
    /// - Throws: `AccountStoreError`.
    func transfer(
        _ step: AppleTransferStep
    ) async throws(AccountStoreError) -> AppleTransferOutcome

    /// Lists the accounts that an Apple identity opens, in the order of their identifiers.
    ///
    /// - Parameters:
    ///   - after: the account behind which the list begins; nil for the beginning.
    ///   - maximumCount: how many accounts the list may have.
    /// - Returns: the accounts and how far each one's transfer is; fewer than the maximum at the end.
    /// - Throws: `AccountStoreError`.
    func transferStates(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [AppleTransferState]

    /// Tells how far the transfer of an account's person is.
    ///
    /// - Parameter account: the account.
    /// - Returns: the state; nil when no Apple identity opens the account.
    /// - Throws: `AccountStoreError`.
    func transferState(
        of account: AccountID
    ) async throws(AccountStoreError) -> AppleTransferState?
}
