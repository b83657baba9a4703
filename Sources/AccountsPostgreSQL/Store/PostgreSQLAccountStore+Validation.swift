import Accounts
import AppleIdentity
import Foundation

extension PostgreSQLAccountStore {
    /// Reserves refresh tokens that are due to be validated; what another is about to take is passed over.
    ///
    /// What the claim has got is read afterwards, whether it was made just now or before.
    package func claimValidations(
        maximumCount: Int,
        now: Date,
        until: Date
    ) async throws(AccountStoreError) -> [TokenValidation] {
        let claim = Statement(
            """
            WITH due AS (
                SELECT account_id, client_id FROM apple_refresh_tokens
                WHERE validates_at <= $1 AND NOT EXISTS (
                    SELECT 1 FROM apple_refresh_tokens AS claimed WHERE claimed.validates_at = $2
                )
                ORDER BY validates_at LIMIT $3 FOR UPDATE SKIP LOCKED
            )
            UPDATE apple_refresh_tokens SET validates_at = $2 FROM due
            WHERE apple_refresh_tokens.account_id = due.account_id
                AND apple_refresh_tokens.client_id = due.client_id
            """,
            [.integer(now.microseconds), .integer(until.microseconds), .count(maximumCount)]
        )
        let claimed = Statement(
            """
            SELECT account_id, \(RefreshTokenRow.columns) FROM apple_refresh_tokens
            WHERE validates_at = $1
            """,
            [.integer(until.microseconds)]
        )
        return try await database.run([claim, claimed])[1].map { row throws(AccountStoreError) in
            TokenValidation(
                account: AccountID(rawValue: try row.text(0)),
                token: try RefreshTokenRow.read(row, from: 1)
            )
        }
    }

    /// Has a refresh token validated at another time than its claim said.
    package func postpone(
        _ validation: TokenValidation,
        until date: Date
    ) async throws(AccountStoreError) {
        try await database.run(
            "UPDATE apple_refresh_tokens SET validates_at = $1 WHERE account_id = $2 AND id = $3",
            [
                .integer(date.microseconds), .text(validation.account.rawValue),
                .text(validation.token.id.rawValue),
            ]
        )
    }

    /// Ends what a refresh token that Apple does not honour any more has opened.
    package func apply(_ end: TokenEnd) async throws(AccountStoreError) -> AccountID? {
        try await database.decide { question in
            let key = AccountKey.id(end.account)
            let account = question.account(key)
            let tokens = question.refreshTokens(of: key)
            let state = question.transferState(of: key)
            return { answers throws(AccountStoreError) in
                end.decision(
                    given: try answers[account],
                    tokens: try answers[tokens],
                    transfer: try answers[state]?.transfer
                )
            }
        }
    }
}
