import Accounts
import AppleIdentity
import GRDB

extension SQLiteAccountStore {
    /// Takes a step of a person to another team.
    package func transfer(
        _ step: AppleTransferStep
    ) async throws(AccountStoreError) -> AppleTransferOutcome {
        try await writer.decide { database in
            step.decision(given: try database.facts(of: step))
        }
    }

    /// Lists the accounts that an Apple identity opens.
    package func transferStates(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [AppleTransferState] {
        try await read { database in
            try database.rows(
                """
                SELECT \(TransferRow.columns) FROM \(TransferRow.tables)
                WHERE apple_identities.account_id > ?
                ORDER BY apple_identities.account_id LIMIT ?
                """,
                [after?.rawValue ?? "", maximumCount]
            )
            .map(TransferRow.read)
        }
    }

    /// Tells how far the transfer of an account's person is.
    package func transferState(
        of account: AccountID
    ) async throws(AccountStoreError) -> AppleTransferState? {
        try await read { try $0.transferState(of: account) }
    }
}

extension Database {
    fileprivate func facts(of step: AppleTransferStep) throws -> AppleTransferFacts {
        switch step {
        case .begin(let person, _, _):
            let account = try accountID(of: person)
            return try facts(of: account)
        case .arrive(let identifier, let user, _):
            let found = try row(
                "SELECT account_id FROM apple_transfers WHERE issuer = ? AND identifier = ?",
                [identifier.issuer, identifier.user.rawValue]
            )
            let account: String? = found?[0]
            var facts = try facts(of: account)
            let person = ApplePerson(issuer: identifier.issuer, user: user)
            facts.arrivedAccount = try accountID(of: person).map(AccountID.init(rawValue:))
            return facts
        }
    }

    private func facts(of account: String?) throws -> AppleTransferFacts {
        guard let account else { return AppleTransferFacts() }
        let id = AccountID(rawValue: account)
        return AppleTransferFacts(
            account: try self.account(id),
            transfer: try transferState(of: id)?.transfer
        )
    }

    private func accountID(of person: ApplePerson) throws -> String? {
        try row(
            "SELECT account_id FROM apple_identities WHERE issuer = ? AND subject = ?",
            [person.issuer, person.user.rawValue]
        )?[0]
    }

    func transferState(of account: AccountID) throws -> AppleTransferState? {
        try row(
            """
            SELECT \(TransferRow.columns) FROM \(TransferRow.tables)
            WHERE apple_identities.account_id = ?
            """,
            [account.rawValue]
        )
        .map(TransferRow.read)
    }

    func put(_ transfer: AppleTransfer) throws {
        try run(
            """
            INSERT INTO apple_transfers (account_id, issuer, identifier, team_id)
            VALUES (?, ?, ?, ?)
            ON CONFLICT (account_id) DO UPDATE SET issuer = excluded.issuer,
                identifier = excluded.identifier, team_id = excluded.team_id
            """,
            [
                transfer.account.rawValue, transfer.identifier.issuer,
                transfer.identifier.user.rawValue, transfer.team.rawValue,
            ]
        )
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

    static func read(_ row: Row) -> AppleTransferState {
        let account = AccountID(rawValue: row[0])
        let issuer: String? = row[3]
        return AppleTransferState(
            account: account,
            person: ApplePerson(issuer: row[1], user: UserID(rawValue: row[2])),
            clientID: ClientID(rawValue: row[6]),
            transfer: issuer.map { issuer in
                AppleTransfer(
                    account: account,
                    identifier: ApplePerson(issuer: issuer, user: UserID(rawValue: row[4])),
                    team: TeamID(rawValue: row[5])
                )
            }
        )
    }
}
