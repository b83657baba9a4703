import Accounts
import AppleIdentity
import Foundation

extension SQLAccountStore {
    /// Reserves refresh tokens that are due for validation, except those that another worker is claiming.
    ///
    /// The reserved tokens are read afterwards, so a repeated claim returns the same tokens.
    package func claimValidations(
        maximumCount: Int,
        now: Date,
        until: Date
    ) async throws(AccountStoreError) -> [TokenValidation] {
        let values: [SQLValue] = [.date(now), .date(until)]
        let due = "apple_refresh_tokens WHERE validates_at <= $1"
        let isAny = try await database.read {
            $0.exists("\(due) OR validates_at = $2", values)
        }
        guard isAny else { return [] }
        let claim = Statement(
            """
            WITH due AS (
                SELECT account_id, client_id FROM \(due)
                ORDER BY validates_at LIMIT $3 \(database.dialect.skipLocked)
            )
            UPDATE apple_refresh_tokens SET validates_at = $2
            WHERE (account_id, client_id) IN (SELECT account_id, client_id FROM due)
            AND NOT EXISTS (
                SELECT 1 FROM apple_refresh_tokens AS claimed WHERE claimed.validates_at = $2
            )
            """,
            values + [.count(maximumCount)]
        )
        let claimed = Statement(
            """
            SELECT account_id, \(RefreshTokenRow.columns) FROM apple_refresh_tokens
            WHERE validates_at = $1
            """,
            [.date(until)]
        )
        let rows = try await database.run([claim, claimed]) { _ in [] }[1].rows
        var validations: [TokenValidation] = []
        for row in rows {
            let account = AccountID(rawValue: try row.text(0))
            validations.append(
                TokenValidation(account: account, token: try RefreshTokenRow.read(row, from: 1))
            )
        }
        return validations
    }

    package func oldestDueValidation(now: Date) async throws(AccountStoreError) -> Date? {
        try await database.read { question in
            question.first(
                """
                SELECT validates_at FROM apple_refresh_tokens WHERE validates_at <= $1
                ORDER BY validates_at LIMIT 1
                """,
                [.date(now)]
            ) { try $0.date(0) }
        }
    }

    package func postpone(
        _ validation: TokenValidation,
        until date: Date
    ) async throws(AccountStoreError) {
        try await database.run(
            "UPDATE apple_refresh_tokens SET validates_at = $1 WHERE account_id = $2 AND id = $3",
            [
                .date(date), .text(validation.account.rawValue),
                .text(validation.token.id.rawValue),
            ]
        )
    }

    package func apply(_ end: TokenEnd) async throws(AccountStoreError) -> AccountID? {
        try await database.decide { question in
            let key = AccountKey.id(end.account)
            let account = question.account(key)
            let tokens = question.refreshTokens(of: key)
            let state = question.transferState(of: key)
            return Fact { answers in
                end.decision(
                    given: try answers[account],
                    tokens: try answers[tokens],
                    transfer: try answers[state]?.transfer
                )
            }
        }
    }
}
