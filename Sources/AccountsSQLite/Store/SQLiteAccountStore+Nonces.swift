import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Seconds for which a used nonce is known beyond its end, so that no token with it comes twice.
    private static let usedNonceMemory: TimeInterval = 86_400
    /// Seconds for which an unused nonce is known beyond its end, so that whoever is late hears why.
    private static let unusedNonceMemory: TimeInterval = 600
    /// How many old rows one call may forget.
    static let maximumForgottenRowCount = 100

    /// Keeps a nonce that is about to be given out.
    public func addNonce(_ nonce: IssuedNonce) async throws(AccountStoreError) -> Bool {
        try await transaction { database in
            try Self.forgetOldNonces(now: nonce.issuedAt, in: database)
            let count: Int? = try database.row("SELECT stored_count FROM nonce_count", [])?[0]
            guard let count, count < nonce.maximumStoredCount else { return false }
            try database.run(
                "INSERT INTO nonces (nonce_hash, expires_at) VALUES (?, ?)",
                [nonce.hash.bytes, nonce.expiresAt.seconds]
            )
            return true
        }
    }

    /// Forgets nonces whose time is long over; what one call leaves is for the next.
    static func forgetOldNonces(now: Date, in database: Database) throws {
        for (condition, memory) in [
            ("used_at IS NULL", unusedNonceMemory), ("used_at IS NOT NULL", usedNonceMemory),
        ] {
            try database.run(
                """
                DELETE FROM nonces WHERE number IN (
                    SELECT number FROM nonces WHERE \(condition) AND expires_at <= ?
                    ORDER BY expires_at LIMIT ?
                )
                """,
                [now.seconds - memory, maximumForgottenRowCount]
            )
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
        if nonce.origin == .webSignIn {
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
