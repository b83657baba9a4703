import Crypto
import Foundation
import GRDB

/// Fills a database, whose tables the server has made, with accounts that have one session each.
struct ManyAccounts: Sendable {
    /// How many.
    let count: Int

    /// The token of an account's session: numbers instead of random bytes, because all must be known.
    static func token(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "A", count: 43 - digits.count) + digits
    }

    /// Fills a PostgreSQL database.
    func fill(_ server: PostgreSQLServer, _ database: String) throws {
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        let end = now + 86_400_000_000
        let statements = [
            """
            INSERT INTO accounts (id, name, email, email_key, email_is_verified,
                email_is_private_relay, email_is_own, mail_is_forwarded, created_at)
            SELECT md5('account' || n), '{"givenName":"Maya","familyName":"Ng"}',
                n || '@example.com', n || '@example.com', true, false, false, true, \(now)
            FROM generate_series(1, \(count)) n
            """,
            """
            INSERT INTO apple_identities (issuer, subject, account_id, client_id, linked_at,
                consented_at, has_refresh_token)
            SELECT '\(BenchApple.issuer)', '001234.' || md5('person' || n) || '.0123',
                md5('account' || n), '\(BenchApple.clientID)',
                \(now), \(now), false
            FROM generate_series(1, \(count)) n
            """,
            """
            INSERT INTO sessions (token_hash, id, account_id, device, sign_in_method, created_at,
                signed_in_at, last_used_at, expires_at)
            SELECT sha256(convert_to(lpad(n::text, 43, 'A'), 'UTF8')), md5('session' || n),
                md5('account' || n), 'bench', 'apple', \(now), \(now), \(now), \(end)
            FROM generate_series(1, \(count)) n
            """,
        ]
        for sql in statements { try server.query(sql, in: database) }
        try server.query("VACUUM ANALYZE", in: database)
        try server.query("CHECKPOINT", in: database)
    }

    /// Fills a SQLite file.
    func fill(_ file: URL) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.add(function: Self.hash)
            try database.execute(sql: "PRAGMA cache_size = -2000000")
        }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        let end = now + 86_400_000_000
        let numbers = """
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
            """
        try queue.write { database in
            try database.execute(
                sql: """
                    \(numbers) INSERT INTO accounts (id, name, email, email_is_verified,
                        email_is_private_relay, email_is_own, mail_is_forwarded, created_at)
                    SELECT printf('%032x', n), '{"givenName":"Maya","familyName":"Ng"}',
                        n || '@example.com', 1, 0, 0, 1, ? FROM number
                    """,
                arguments: [count, now]
            )
            try database.execute(
                sql: """
                    \(numbers) INSERT INTO apple_identities
                        (issuer, subject, account_id, client_id, linked_at, consented_at,
                            has_refresh_token)
                    SELECT ?, 'many.' || n, printf('%032x', n), ?, ?, ?, 0 FROM number
                    """,
                arguments: [count, BenchApple.issuer, BenchApple.clientID, now, now]
            )
            try database.execute(
                sql: """
                    \(numbers) INSERT INTO sessions (token_hash, id, account_id, device,
                        sign_in_method, created_at, signed_in_at, last_used_at, expires_at)
                    SELECT token_hash(n), printf('%032x', n),
                        printf('%032x', n), 'bench', 'apple', ?, ?, ?, ?
                    FROM number
                    """,
                arguments: [count, now, now, now, end]
            )
        }
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    private static let hash = DatabaseFunction("token_hash", argumentCount: 1, pure: true) {
        guard let number = Int.fromDatabaseValue($0[0]) else { return nil }
        return Data(SHA256.hash(data: Data(token(number).utf8)))
    }
}
