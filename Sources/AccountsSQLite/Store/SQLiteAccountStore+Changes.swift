import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Changes how an account is opened or where its mail goes.
    package func change(
        _ change: AccountChange
    ) async throws(AccountStoreError) -> AccountChangeOutcome {
        try await writer.decide { database in
            change.decision(given: try database.facts(of: change))
        }
    }

    /// Collects all that is kept about an account.
    package func export(
        _ account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> AccountExport? {
        try await read { database in
            guard let found = try database.account(account) else { return nil }
            return AccountExport(
                account: found,
                sessions: try database.liveSessions(of: account, now: now),
                passwordChangedAt: try database.password(of: account)?.changedAt,
                refreshTokens: try database.refreshTokens(of: account),
                mailTokens: try database.mailTokens(of: account, now: now),
                waitingMail: try database.waitingMail(of: account),
                auditEntries: try database.auditEntries(.export(of: account))
            )
        }
    }

    /// Reserves refresh tokens that are due to be validated.
    package func claimValidations(
        maximumCount: Int,
        now: Date,
        until: Date
    ) async throws(AccountStoreError) -> [TokenValidation] {
        let isAny = try await read { database in
            try database.row(
                """
                SELECT 1 FROM apple_refresh_tokens
                WHERE validates_at <= ? OR validates_at = ? LIMIT 1
                """,
                [now.microseconds, until.microseconds]
            ) != nil
        }
        guard isAny else { return [] }
        return try await writer.write { database in
            // One that is made again finds what it got.
            _ = try database.rows(
                """
                UPDATE apple_refresh_tokens SET validates_at = ?1
                WHERE (account_id, client_id) IN (
                    SELECT account_id, client_id FROM apple_refresh_tokens
                    WHERE validates_at <= ?2 ORDER BY validates_at LIMIT ?3
                ) AND NOT EXISTS (
                    SELECT 1 FROM apple_refresh_tokens AS claimed WHERE claimed.validates_at = ?1
                ) RETURNING id
                """,
                [until.microseconds, now.microseconds, maximumCount]
            )
            let rows = try database.rows(
                """
                SELECT account_id, \(RefreshTokenRow.columns) FROM apple_refresh_tokens
                WHERE validates_at = ?
                """,
                [until.microseconds]
            )
            let claimed = rows.map { row in
                TokenValidation(
                    account: AccountID(rawValue: row[0]),
                    token: RefreshTokenRow.read(row, from: 1)
                )
            }
            return (claimed, [])
        }
    }

    /// Has a refresh token validated at another time than its claim said.
    package func postpone(
        _ validation: TokenValidation,
        until date: Date
    ) async throws(AccountStoreError) {
        try await writer.write { database in
            _ = try database.rows(
                """
                UPDATE apple_refresh_tokens SET validates_at = ?
                WHERE account_id = ? AND id = ? RETURNING id
                """,
                [date.microseconds, validation.account.rawValue, validation.token.id.rawValue]
            )
            return ((), [])
        }
    }

    /// Ends what a refresh token that Apple does not honour any more has opened.
    package func apply(_ end: TokenEnd) async throws(AccountStoreError) -> AccountID? {
        try await writer.decide { database in
            end.decision(
                given: try database.account(end.account),
                tokens: try database.refreshTokens(of: end.account),
                transfer: try database.transferState(of: end.account)?.transfer
            )
        }
    }
}

extension Database {
    /// Looks up what a change names.
    fileprivate func facts(of change: AccountChange) throws -> AccountChangeFacts {
        let token = try change.mailToken.flatMap { try mailToken($0, now: change.now) }
        var facts = AccountChangeFacts(
            isDone: try isUsed(change.mark),
            mailToken: token,
            throttles: try throttles(change.throttles)
        )
        guard let id = change.caller?.account ?? token?.account ?? change.linkOwner
        else { return facts }
        facts.account = try account(id)
        facts.session = try change.caller
            .flatMap { try session(named: $0.session) }
            .flatMap { $0.expiresAt > change.now ? $0 : nil }
        facts.password = try password(of: id)
        facts.refreshTokens = try refreshTokens(of: id)
        facts.accountOfUsername = try change.username.flatMap { try account(named: $0) }
        facts.signIn = try change.linking.map { try self.facts(of: $0.attempt).facts }
        return facts
    }

    fileprivate func mailTokens(of account: AccountID, now: Date) throws -> [MailToken] {
        try rows(
            """
            SELECT \(MailTokenRow.columns) FROM mail_tokens
            WHERE account_id = ? AND expires_at > ? ORDER BY expires_at
            """,
            [account.rawValue, now.microseconds]
        )
        .compactMap(MailTokenRow.read)
    }

    fileprivate func waitingMail(of account: AccountID) throws -> [Date] {
        try rows(
            "SELECT created_at FROM outbox WHERE person_hash = ? AND kind = ? ORDER BY created_at",
            [account.mailHash.bytes, OutboxTask.Kind.mail.rawValue]
        )
        .map { Date(microseconds: $0[0]) }
    }
}
