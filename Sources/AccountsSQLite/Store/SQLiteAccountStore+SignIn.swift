import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Seconds for which the name of a sign-in that never ended is kept.
    private static let pendingMemory: TimeInterval = 30 * 86_400

    /// Begins a sign-in.
    public func beginSignIn(
        _ attempt: SignInAttempt
    ) async throws(AccountStoreError) -> SignInRefusal? {
        try await transaction { database in
            if let refusal = try Self.refusal(of: attempt, in: database) { return refusal }
            try Self.forgetOldRows(now: attempt.now, in: database)
            try database.run(
                """
                INSERT INTO pending_registrations (issuer, subject, name, created_at)
                VALUES (?, ?, ?, ?)
                ON CONFLICT (issuer, subject) DO UPDATE SET
                    name = coalesce(excluded.name, name), created_at = excluded.created_at
                """,
                [attempt.issuer, attempt.user.rawValue, attempt.name, attempt.now.seconds]
            )
            return nil
        }
    }

    /// Completes a sign-in.
    public func completeSignIn(
        _ completion: SignInCompletion
    ) async throws(AccountStoreError) -> SignInOutcome {
        try await transaction { database in
            let attempt = completion.attempt
            if let refusal = try Self.refusal(of: attempt, in: database) {
                return .refused(refusal)
            }
            let known = try Self.account(of: attempt, in: database)
            let account = try known ?? Self.makeAccount(completion, in: database)
            try Self.takeName(of: attempt, for: account, in: database)
            try Self.takeConsent(completion, for: account, in: database)
            try Self.takeEmail(completion.email, for: account, in: database)
            try Self.takeRefreshToken(completion, for: account, in: database)
            try Self.consume(completion, in: database)
            try Self.makeSession(completion, for: account, in: database)
            let signedIn = try Self.session(
                tokenHash: completion.session.tokenHash,
                now: attempt.now,
                in: database
            )
            guard let signedIn else {
                throw AccountStoreError(.failed, hint: "a new session had ended already")
            }
            return .signedIn(signedIn, isNewAccount: known == nil)
        }
    }

    private static func refusal(
        of attempt: SignInAttempt,
        in database: Database
    ) throws -> SignInRefusal? {
        let use = try database.row(
            "SELECT 1 FROM used_identity_tokens WHERE token_hash = ?",
            [attempt.tokenHash.bytes]
        )
        if use != nil { return .tokenReplayed }
        if try hasConsentEnded(since: attempt, in: database) { return .consentRevoked }
        return try attempt.nonce.flatMap { try refusal(of: $0, now: attempt.now, in: database) }
    }

    private static func forgetOldRows(now: Date, in database: Database) throws {
        try forgetOldNonces(now: now, in: database)
        try forgetOldEvents(now: now, in: database)
        try database.run(
            """
            DELETE FROM used_identity_tokens WHERE token_hash IN (
                SELECT token_hash FROM used_identity_tokens WHERE expires_at <= ? LIMIT ?
            )
            """,
            [now.seconds, maximumForgottenRowCount]
        )
        try database.run(
            """
            DELETE FROM sessions WHERE token_hash IN (
                SELECT token_hash FROM sessions WHERE expires_at <= ? LIMIT ?
            )
            """,
            [now.seconds, maximumForgottenRowCount]
        )
        try database.run(
            """
            DELETE FROM pending_registrations WHERE (issuer, subject) IN (
                SELECT issuer, subject FROM pending_registrations WHERE created_at <= ? LIMIT ?
            )
            """,
            [now.seconds - pendingMemory, maximumForgottenRowCount]
        )
    }

    private static func account(
        of attempt: SignInAttempt,
        in database: Database
    ) throws -> AccountID? {
        let row = try database.row(
            "SELECT account_id FROM apple_identities WHERE issuer = ? AND subject = ?",
            [attempt.issuer, attempt.user.rawValue]
        )
        return row.map { AccountID(rawValue: $0[0]) }
    }

    private static func makeAccount(
        _ completion: SignInCompletion,
        in database: Database
    ) throws -> AccountID {
        let attempt = completion.attempt
        let account = completion.newAccountID
        try database.run(
            "INSERT INTO accounts (id, created_at) VALUES (?, ?)",
            [account.rawValue, attempt.now.seconds]
        )
        try database.run(
            """
            INSERT INTO apple_identities (issuer, subject, account_id, client_id, linked_at,
                consented_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                attempt.issuer, attempt.user.rawValue, account.rawValue,
                completion.clientID.rawValue, attempt.now.seconds, attempt.issuedAt.seconds,
            ]
        )
        return account
    }
}
