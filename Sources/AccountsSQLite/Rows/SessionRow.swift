import Accounts
import AppleIdentity
import Foundation
import GRDB

/// The columns of a session, read by position.
enum SessionRow {
    static let columns = """
        sessions.id, sessions.account_id, sessions.device, sessions.sign_in_method,
        sessions.created_at, sessions.signed_in_at, sessions.last_used_at, sessions.expires_at
        """

    static let columnCount = 8

    static func read(_ row: some ColumnValues) throws -> Session {
        Session(
            id: SessionID(rawValue: try row[0]),
            accountID: AccountID(rawValue: try row[1]),
            device: try row[2],
            signInMethod: SignInMethod(rawValue: try row[3]),
            createdAt: Date(microseconds: try row[4]),
            signedInAt: Date(microseconds: try row[5]),
            lastUsedAt: Date(microseconds: try row[6]),
            expiresAt: Date(microseconds: try row[7])
        )
    }
}

/// The columns of a session and its account, read by position.
enum SignedInSessionRow {
    static let columns = SessionRow.columns + ", " + AccountRow.columns

    static let tables = """
        sessions JOIN accounts ON accounts.id = sessions.account_id \(AccountRow.identityJoin)
        """

    static let byToken = "SELECT \(columns) FROM \(tables) WHERE sessions.token_hash = ?"

    static func read(_ row: some ColumnValues) throws -> SignedInSession? {
        try AccountRow.read(row, from: SessionRow.columnCount)
            .map { SignedInSession(session: try SessionRow.read(row), account: $0) }
    }
}

/// The columns of an entry of the outbox, read by position.
enum OutboxRow {
    static let columns = "id, kind, payload, person_hash, waits_for, created_at, attempt_count"

    static func read(_ row: Row) throws -> OutboxEntry {
        let kind: String = row[1]
        guard let kind = OutboxTask.Kind(rawValue: kind) else {
            throw AccountStoreError(.failed, hint: "an outbox entry is of no known kind")
        }
        let person: Data? = row[3]
        let waitsFor: String? = row[4]
        return OutboxEntry(
            id: OutboxID(rawValue: row[0]),
            task: try OutboxTask(kind: kind, payload: row[2]),
            person: person.map(SecretHash.init(bytes:)),
            waitsFor: waitsFor.map(OutboxID.init(rawValue:)),
            createdAt: Date(microseconds: row[5]),
            attemptCount: row[6]
        )
    }
}

/// The columns of a refresh token, read by position.
enum RefreshTokenRow {
    static let columns = "id, client_id, sealed_token, received_at"

    static func read(_ row: Row, from start: Int = 0) -> RefreshToken {
        RefreshToken(
            id: RefreshTokenID(rawValue: row[start]),
            clientID: ClientID(rawValue: row[start + 1]),
            sealedToken: row[start + 2],
            receivedAt: Date(microseconds: row[start + 3])
        )
    }
}

/// The columns of a mail's link, read by position.
enum MailTokenRow {
    static let columns = "hash, account_id, purpose, address, expires_at"

    /// Nil for a purpose that a newer program gave.
    static func read(_ row: Row) -> MailToken? {
        let purpose: String = row[2]
        return MailToken.Purpose(rawValue: purpose).map { purpose in
            MailToken(
                hash: SecretHash(bytes: row[0]),
                account: AccountID(rawValue: row[1]),
                purpose: purpose,
                address: row[3],
                expiresAt: Date(microseconds: row[4])
            )
        }
    }
}
