import Accounts
import AppleIdentity

extension SQLAccountStore {
    package func transfer(
        _ step: AppleTransferStep
    ) async throws(AccountStoreError) -> AppleTransferOutcome {
        try await database.decide { $0.facts(of: step).map(step.decision(given:)) }
    }

    package func transferStates(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [AppleTransferState] {
        try await database.read { question in
            question.list(
                """
                SELECT \(TransferRow.columns) FROM \(TransferRow.tables)
                WHERE apple_identities.account_id > $1
                ORDER BY apple_identities.account_id LIMIT $2
                """,
                [.text(after?.rawValue ?? ""), .count(maximumCount)]
            ) { try TransferRow.read($0) }
        }
    }

    package func transferState(
        of account: AccountID
    ) async throws(AccountStoreError) -> AppleTransferState? {
        try await database.read { $0.transferState(of: .id(account)) }
    }
}

extension Question {
    fileprivate mutating func facts(of step: AppleTransferStep) -> Fact<AppleTransferFacts> {
        let key: AccountKey
        var arrived: Fact<AccountID?>?
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
        return Fact { [arrived] answers in
            AppleTransferFacts(
                account: try answers[account],
                transfer: try answers[state]?.transfer,
                arrivedAccount: try answers[arrived]
            )
        }
    }

    mutating func transferState(of key: AccountKey) -> Fact<AppleTransferState?> {
        first(
            """
            SELECT \(TransferRow.columns) FROM \(TransferRow.tables)
            WHERE apple_identities.account_id = \(key.sql)
            """,
            key.values
        ) { try TransferRow.read($0) }
    }
}

/// The columns of an identity and its transfer, read by position.
private enum TransferRow {
    static let columns = """
        apple_identities.account_id, apple_identities.issuer, apple_identities.subject,
        apple_transfers.issuer, apple_transfers.identifier, apple_transfers.team_id,
        apple_identities.client_id
        """

    static let tables = """
        apple_identities LEFT JOIN apple_transfers
            ON apple_transfers.account_id = apple_identities.account_id
        """

    static func read(_ row: SQLRow) throws(AccountStoreError) -> AppleTransferState {
        let account = AccountID(rawValue: try row.text(0))
        let person = ApplePerson(
            issuer: try row.text(1),
            user: UserID(rawValue: try row.text(2))
        )
        var transfer: AppleTransfer?
        if let issuer = try row.optionalText(3) {
            transfer = AppleTransfer(
                account: account,
                identifier: ApplePerson(
                    issuer: issuer,
                    user: UserID(rawValue: try row.text(4))
                ),
                team: TeamID(rawValue: try row.text(5))
            )
        }
        return AppleTransferState(
            account: account,
            person: person,
            clientID: ClientID(rawValue: try row.text(6)),
            transfer: transfer
        )
    }
}
