extension AccountStore {
    /// Returns all keys, in the order in which they sign.
    package func tokenKeys() async throws(AccountStoreError) -> [TokenKey] {
        try await database.read { $0.tokenKeys() }
    }

    /// Changes the keys, by the rule of `TokenKeyRotation`.
    package func rotateTokenKeys(
        _ rotation: TokenKeyRotation
    ) async throws(AccountStoreError) -> TokenKeyOutcome {
        try await database.decide { $0.tokenKeys().map(rotation.decision(given:)) }
    }
}

extension Query {
    fileprivate mutating func tokenKeys() -> QueryResult<[TokenKey]> {
        list(Tables.tokenKeys.selection, "ORDER BY signs_from, id")
    }
}
