import AppleIdentity

extension AccountStore {
    /// Performs a step of a user's transfer, by the rule of `AppleTransferStep`.
    package func transfer(
        _ step: AppleTransferStep
    ) async throws(AccountStoreError) -> AppleTransferOutcome {
        try await database.decide { $0.facts(of: step).map(step.decision(given:)) }
    }

    /// Returns accounts that are linked to Apple, with their transfers, in the order of their identifiers; fewer than
    /// the maximum at the end.
    package func transferStates(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [AppleTransferState] {
        try await database.read { query in
            query.list(
                Selections.transferState,
                """
                WHERE apple_identities.account_id > $1
                ORDER BY apple_identities.account_id LIMIT $2
                """,
                [.text(after?.rawValue ?? ""), .count(maximumCount)]
            )
        }
    }

    /// Returns the transfer of an account's user; nil when the account is not linked to Apple.
    package func transferState(
        of account: AccountID
    ) async throws(AccountStoreError) -> AppleTransferState? {
        try await database.read { $0.transferState(of: .id(account)) }
    }
}

extension Query {
    fileprivate mutating func facts(of step: AppleTransferStep) -> QueryResult<AppleTransferFacts> {
        let key: AccountKey
        var arrived: QueryResult<AccountID?>?
        switch step {
        case .begin(let person, _, _): key = .person(person)
        case .arrive(let identifier, let user, _):
            key = .transfer(identifier)
            arrived = first(
                "SELECT account_id FROM apple_identities WHERE issuer = $1 AND subject = $2",
                [.text(identifier.issuer), .text(user.rawValue)]
            ) { AccountID(rawValue: try $0.text(0)) }
        }
        let account = account(key)
        let state = transferState(of: key)
        return QueryResult { [arrived] results in
            AppleTransferFacts(
                account: try results[account],
                transfer: try results[state]?.transfer,
                arrivedAccount: try results[arrived]
            )
        }
    }

    mutating func transferState(of key: AccountKey) -> QueryResult<AppleTransferState?> {
        first(
            Selections.transferState,
            "WHERE apple_identities.account_id = \(key.sql)",
            key.values
        )
    }
}
