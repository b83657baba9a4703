import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Seconds for which a nonce is known beyond its end, so that its use is told from a foreign one.
    private static let nonceMemory: TimeInterval = 86_400
    /// How many old rows one call may forget.
    static let forgottenRowCountMax = 100

    /// Keeps a nonce that is about to be given out.
    public func addNonce(_ nonce: IssuedNonce) async throws(AccountStoreError) -> Bool {
        try await transaction { database in
            try database.run(
                """
                DELETE FROM nonces WHERE number IN
                    (SELECT number FROM nonces WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
                """,
                [nonce.issuedAt.seconds - Self.nonceMemory, Self.forgottenRowCountMax]
            )
            let count = try Int.fetchOne(
                try database.cachedStatement(
                    sql: """
                        SELECT ifnull((SELECT max(number) FROM nonces), 0)
                            - ifnull((SELECT min(number) FROM nonces), 1) + 1
                        """
                )
            )
            guard (count ?? 0) < nonce.storedCountMax else { return false }
            try database.run(
                "INSERT INTO nonces (nonce_hash, expires_at) VALUES (?, ?)",
                [nonce.hash.bytes, nonce.expiresAt.seconds]
            )
            return true
        }
    }

    /// Why a nonce can't be used, if it can't.
    static func refusal(
        of nonce: NonceUse,
        now: Date,
        in database: Database
    ) throws -> SignInRefusal? {
        let row = try database.row(
            "SELECT expires_at, used_at FROM nonces WHERE nonce_hash = ?",
            [nonce.hash.bytes]
        )
        guard let row else { return nonce.origin == .server ? .nonceUnknown : nil }
        let expiresAt: Double = row[0]
        let usedAt: Double? = row[1]
        if usedAt != nil { return .nonceUsed }
        return expiresAt <= now.seconds ? .nonceExpired : nil
    }

    /// Uses a nonce up; one that the app made itself leaves no trace.
    static func use(_ nonce: NonceUse, now: Date, in database: Database) throws {
        if nonce.origin == .ceremony {
            try database.run(
                "INSERT INTO nonces (nonce_hash, expires_at, used_at) VALUES (?1, ?2, ?2)",
                [nonce.hash.bytes, now.seconds]
            )
        } else {
            try database.run(
                "UPDATE nonces SET used_at = ? WHERE nonce_hash = ?",
                [now.seconds, nonce.hash.bytes]
            )
        }
    }
}
