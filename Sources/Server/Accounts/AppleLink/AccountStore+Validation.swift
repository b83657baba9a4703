import AppleIdentity
import Foundation

extension AccountStore {
    /// Claims refresh tokens whose validation is due: they are not due again before `until`.
    ///
    /// `until` identifies a claim: a claim that is repeated because its result was lost returns the same tokens.
    ///
    /// - Parameters:
    ///   - maximumCount: the maximum number of tokens.
    ///   - now: the time.
    ///   - until: when the tokens are due again, unless they are postponed; unique to the microsecond.
    /// - Returns: the claimed tokens and their accounts.
    /// - Throws: `AccountStoreError`.
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
            \(Tables.refreshTokens.selection.sql) WHERE validates_at = $1
            """,
            [.date(until)]
        )
        let rows = try await database.run([claim, claimed]) { _ in [] }[1].rows
        var validations: [TokenValidation] = []
        for row in rows {
            let stored = try Tables.refreshTokens.selection.read(row)
            validations.append(TokenValidation(account: stored.account, token: stored.value))
        }
        return validations
    }

    /// The time since which the validation of a refresh token is due; nil when none is due.
    package func oldestDueValidation(now: Date) async throws(AccountStoreError) -> Date? {
        try await database.read { query in
            query.first(
                """
                SELECT validates_at FROM apple_refresh_tokens WHERE validates_at <= $1
                ORDER BY validates_at LIMIT 1
                """,
                [.date(now)]
            ) { try $0.date(0) }
        }
    }

    /// Changes the time of a token's next validation, for example when Apple could not be reached.
    ///
    /// A newer token of the same client keeps its own time.
    ///
    /// - Parameters:
    ///   - validation: the token and its account.
    ///   - date: when the validation is due.
    /// - Throws: `AccountStoreError`.
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

    /// Ends the access of a refresh token that Apple has revoked, by the rule of `TokenEnd`; returns the changed
    /// account, or nil.
    package func apply(_ end: TokenEnd) async throws(AccountStoreError) -> AccountID? {
        try await database.decide { query in
            let key = AccountKey.id(end.account)
            let account = query.account(key)
            let tokens = query.refreshTokens(of: key)
            let state = query.transferState(of: key)
            return QueryResult { results in
                end.decision(
                    given: try results[account],
                    tokens: try results[tokens],
                    transfer: try results[state]?.transfer
                )
            }
        }
    }
}
