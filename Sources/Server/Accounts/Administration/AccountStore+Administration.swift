import AppleIdentity
import Foundation

extension AccountStore {
    /// Returns accounts, the newest first; fewer than the maximum at the end.
    package func accounts(
        after: AccountPosition?,
        since: Date? = nil,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [Account] {
        var values: [SQLValue] = [.date(since ?? Tables.never), .count(maximumCount)]
        var older = ""
        if let after {
            values += [.date(after.createdAt), .text(after.id)]
            older = "AND (accounts.created_at, accounts.id) < ($3, $4)"
        }
        let condition =
            "WHERE accounts.created_at >= $1 \(older) ORDER BY accounts.created_at DESC, accounts.id DESC LIMIT $2"
        return try await database.read { [values] query in
            query.list(Selections.account, condition, values)
        }
    }

    /// Returns the accounts whose username, email address or Apple identifier is this text, found by indices.
    package func namedAccounts(
        _ text: String,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [Account] {
        try await database.read { $0.namedAccounts(text, maximumCount: maximumCount) }
    }

    /// Returns the secrets after a position, in the order of resealing; fewer than the maximum at the end.
    package func sealedValues(
        after: ResealingPosition?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [SealedValue] {
        try await database.read { $0.sealedValues(after: after, maximumCount: maximumCount) }
    }

    /// Returns the sealing keys of the servers of a shared database that have recorded them since a time.
    package func sealingKeys(
        recordedSince limit: Date
    ) async throws(AccountStoreError) -> [[String]] {
        // Only this process has a database without a server open.
        guard database.dialect.clock != nil else { return [] }
        return try await database.read { query in
            query.list(
                "SELECT sealing_keys FROM server_keys WHERE recorded_at >= $1",
                [.date(limit)]
            ) { try $0.text(0).split(separator: ",").map(String.init) }
        }
    }

    /// Encrypts a batch of secrets again, by the rule of `ResealingBatch`, and returns its result.
    package func reseal(_ batch: ResealingBatch) async throws(AccountStoreError) -> ResealingStep {
        try await database.decide { query in
            query.sealedValues(after: batch.after, maximumCount: batch.maximumCount)
                .map(batch.decision(given:))
        }
    }
}

extension Query {
    /// Each part uses an index; that of Apple's identifiers begins with the issuer, so all issuers are listed first.
    package mutating func namedAccounts(_ text: String, maximumCount: Int) -> QueryResult<[Account]>
    {
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
            \(Selections.account.sql)
            WHERE accounts.id IN (SELECT id FROM named) ORDER BY accounts.id LIMIT $4
            """,
            [
                .text(try? Username(text).text), .text(EmailAddress.key(text)), .text(text),
                .count(maximumCount),
            ]
        ) { try Selections.account.read($0) }
    }

    /// Reads the secrets after a position: the refresh tokens, the outbox, and the keys of access tokens.
    package mutating func sealedValues(
        after position: ResealingPosition?,
        maximumCount: Int
    ) -> QueryResult<[SealedValue]> {
        let tokens = sealedTokens(after: position, maximumCount)
        let entries = sealedEntries(after: position, maximumCount)
        let keys = sealedKeys(after: position, maximumCount)
        return QueryResult { results in
            var values = try results[keys]
            if let entries { values = try results[entries] + values }
            if let tokens { values = try results[tokens] + values }
            return Array(values.prefix(maximumCount))
        }
    }

    /// The next batch of refresh tokens; nil when all of them are resealed.
    private mutating func sealedTokens(
        after position: ResealingPosition?,
        _ maximumCount: Int
    ) -> QueryResult<[SealedValue]>? {
        let key: (account: String, client: String)
        switch position {
        case nil: key = ("", "")
        case .refreshToken(let account, let client): key = (account.rawValue, client.rawValue)
        case .entry, .tokenKey: return nil
        }
        return list(
            Tables.refreshTokens.selection,
            "WHERE (account_id, client_id) > ($1, $2) ORDER BY account_id, client_id LIMIT $3",
            [.text(key.account), .text(key.client), .count(maximumCount)]
        )
        .map { $0.map { .refreshToken($0.value, of: $0.account) } }
    }

    /// The next batch of outbox entries; nil when all of them are resealed.
    private mutating func sealedEntries(
        after position: ResealingPosition?,
        _ maximumCount: Int
    ) -> QueryResult<[SealedValue]>? {
        var id = ""
        if case .tokenKey = position { return nil }
        if case .entry(let entry) = position { id = entry.rawValue }
        return list(
            Tables.outbox.selection,
            "WHERE id > $1 ORDER BY id LIMIT $2",
            [.text(id), .count(maximumCount)]
        )
        .map {
            $0.map { stored in
                stored.entry.map { .entry($0.id, $0.task) } ?? .unreadableEntry(stored.id)
            }
        }
    }

    private mutating func sealedKeys(
        after position: ResealingPosition?,
        _ maximumCount: Int
    ) -> QueryResult<[SealedValue]> {
        var id = ""
        if case .tokenKey(let key) = position { id = key }
        return list(
            Tables.tokenKeys.selection,
            "WHERE id > $1 ORDER BY id LIMIT $2",
            [.text(id), .count(maximumCount)]
        )
        .map { $0.map { .tokenKey($0) } }
    }
}
