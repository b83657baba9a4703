import Accounts
import AppleIdentity
import Foundation

extension SQLAccountStore {
    /// Returns accounts in the order of their identifiers.
    package func accounts(
        after: AccountID?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [Account] {
        try await database.read { question in
            question.list(
                """
                SELECT \(AccountRow.columns) FROM \(AccountRow.tables)
                WHERE accounts.id > $1 ORDER BY accounts.id LIMIT $2
                """,
                [.text(after?.rawValue ?? ""), .count(maximumCount)]
            ) { try AccountRow.read($0) }
            .map { $0.compactMap(\.self) }
        }
    }

    package func namedAccounts(
        _ text: String,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [Account] {
        try await database.read { $0.namedAccounts(text, maximumCount: maximumCount) }
    }

    package func sealedValues(
        after: ResealingPosition?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [SealedValue] {
        try await database.read { $0.sealedValues(after: after, maximumCount: maximumCount) }
    }

    package func sealingKeys(
        recordedSince limit: Date
    ) async throws(AccountStoreError) -> [[String]] {
        // Only this process has a database without a server open.
        guard database.dialect.clock != nil else { return [] }
        return try await database.read { question in
            question.list(
                "SELECT sealing_keys FROM server_keys WHERE recorded_at >= $1",
                [.date(limit)]
            ) { try $0.text(0).split(separator: ",").map(String.init) }
        }
    }

    package func reseal(_ batch: ResealingBatch) async throws(AccountStoreError) -> ResealingStep {
        try await database.decide { question in
            question.sealedValues(after: batch.after, maximumCount: batch.maximumCount)
                .map(batch.decision(given:))
        }
    }
}

extension Question {
    /// Each part uses an index; that of Apple's identifiers begins with the issuer, so all issuers are listed first.
    package mutating func namedAccounts(_ text: String, maximumCount: Int) -> Fact<[Account]> {
        list(
            """
            WITH RECURSIVE issuers (issuer) AS (
                SELECT min(issuer) FROM apple_identities
                UNION ALL
                SELECT (SELECT min(issuer) FROM apple_identities WHERE issuer > issuers.issuer)
                FROM issuers WHERE issuers.issuer IS NOT NULL
            ), named (id) AS (
                SELECT id FROM accounts WHERE username = $1
                UNION SELECT id FROM accounts WHERE email_key = $2 AND username IS NOT NULL
                UNION SELECT id FROM accounts WHERE email_key = $2 AND username IS NULL
                UNION SELECT account_id FROM apple_identities JOIN issuers USING (issuer)
                WHERE subject = $3
            )
            SELECT \(AccountRow.columns) FROM \(AccountRow.tables)
            WHERE accounts.id IN (SELECT id FROM named) ORDER BY accounts.id LIMIT $4
            """,
            [
                .text(try? Username(text).text), .text(EmailAddress.key(text)), .text(text),
                .count(maximumCount),
            ]
        ) { try AccountRow.read($0) }
        .map { $0.compactMap(\.self) }
    }

    /// Reads the secrets after a position: the refresh tokens, the outbox, and the keys of access tokens.
    package mutating func sealedValues(
        after position: ResealingPosition?,
        maximumCount: Int
    ) -> Fact<[SealedValue]> {
        let tokens = sealedTokens(after: position, maximumCount)
        let entries = sealedEntries(after: position, maximumCount)
        let keys = sealedKeys(after: position, maximumCount)
        return Fact { answers in
            var values = try answers[keys]
            if let entries { values = try answers[entries] + values }
            if let tokens { values = try answers[tokens] + values }
            return Array(values.prefix(maximumCount))
        }
    }

    /// The next batch of refresh tokens; nil when all of them are resealed.
    private mutating func sealedTokens(
        after position: ResealingPosition?,
        _ maximumCount: Int
    ) -> Fact<[SealedValue]>? {
        let key: (account: String, client: String)
        switch position {
        case nil: key = ("", "")
        case .refreshToken(let account, let client): key = (account.rawValue, client.rawValue)
        case .entry, .tokenKey: return nil
        }
        return list(
            """
            SELECT \(RefreshTokenRow.columns), account_id FROM apple_refresh_tokens
            WHERE (account_id, client_id) > ($1, $2) ORDER BY account_id, client_id LIMIT $3
            """,
            [.text(key.account), .text(key.client), .count(maximumCount)]
        ) { .refreshToken(try RefreshTokenRow.read($0), of: AccountID(rawValue: try $0.text(4))) }
    }

    /// The next batch of outbox entries; nil when all of them are resealed.
    private mutating func sealedEntries(
        after position: ResealingPosition?,
        _ maximumCount: Int
    ) -> Fact<[SealedValue]>? {
        var id = ""
        if case .tokenKey = position { return nil }
        if case .entry(let entry) = position { id = entry.rawValue }
        return list(
            "SELECT \(OutboxRow.columns) FROM outbox WHERE id > $1 ORDER BY id LIMIT $2",
            [.text(id), .count(maximumCount)]
        ) { row in
            guard let entry = try? OutboxRow.read(row) else {
                return .unreadableEntry(try OutboxRow.id(row))
            }
            return .entry(entry.id, entry.task)
        }
    }

    private mutating func sealedKeys(
        after position: ResealingPosition?,
        _ maximumCount: Int
    ) -> Fact<[SealedValue]> {
        var id = ""
        if case .tokenKey(let key) = position { id = key }
        return list(
            "SELECT \(TokenKeyRow.columns) FROM token_keys WHERE id > $1 ORDER BY id LIMIT $2",
            [.text(id), .count(maximumCount)]
        ) { .tokenKey(try TokenKeyRow.read($0)) }
    }
}
