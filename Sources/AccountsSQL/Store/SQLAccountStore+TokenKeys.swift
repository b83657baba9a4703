import Accounts

extension SQLAccountStore {
    package func tokenKeys() async throws(AccountStoreError) -> [TokenKey] {
        try await database.read { $0.tokenKeys() }
    }

    package func rotateTokenKeys(
        _ rotation: TokenKeyRotation
    ) async throws(AccountStoreError) -> TokenKeyOutcome {
        try await database.decide { $0.tokenKeys().map(rotation.decision(given:)) }
    }
}

extension Question {
    fileprivate mutating func tokenKeys() -> Fact<[TokenKey]> {
        list("SELECT \(TokenKeyRow.columns) FROM token_keys ORDER BY signs_from, id", []) {
            try TokenKeyRow.read($0)
        }
    }
}
