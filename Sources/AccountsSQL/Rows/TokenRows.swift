import Accounts
import AppleIdentity
import Foundation

/// The columns of a refresh token, read by position.
enum RefreshTokenRow {
    static let columns = "id, client_id, sealed_token, received_at"

    static func read(_ row: SQLRow, from start: Int = 0) throws(AccountStoreError) -> RefreshToken {
        RefreshToken(
            id: RefreshTokenID(rawValue: try row.text(start)),
            clientID: ClientID(rawValue: try row.text(start + 1)),
            sealedToken: try row.text(start + 2),
            receivedAt: try row.date(start + 3)
        )
    }
}

/// The columns of a mail link, read by position.
enum MailTokenRow {
    static let columns = "hash, account_id, purpose, address, expires_at, snapshot"

    /// The condition for a valid link, with the hash and the time as parameters.
    ///
    /// It excludes purposes that only a newer version knows.
    static let isAlive =
        "hash = $1 AND \(Question.isLater("expires_at", than: "$2")) AND purpose IN (\(purposes))"

    static let purposes = MailToken.Purpose.allCases.map { "'\($0.rawValue)'" }
        .joined(separator: ", ")

    /// Reads a link; nil when its purpose was added by a newer version.
    static func read(_ row: SQLRow) throws(AccountStoreError) -> MailToken? {
        guard let purpose = MailToken.Purpose(rawValue: try row.text(2)) else { return nil }
        return MailToken(
            hash: try row.hash(0),
            account: AccountID(rawValue: try row.text(1)),
            purpose: purpose,
            address: try row.text(3),
            expiresAt: try row.date(4),
            snapshot: try snapshot(row.optionalText(5))
        )
    }

    private static func snapshot(_ text: String?) throws(AccountStoreError) -> AccountSnapshot? {
        guard let text else { return nil }
        do {
            return try JSONDecoder().decode(AccountSnapshot.self, from: Data(text.utf8))
        } catch {
            throw AccountStoreError(.failed, hint: "the link of a mail can't be read")
        }
    }
}

/// The columns of an app's authorization code, read by position.
enum AppCodeRow {
    static let columns =
        "hash, account_id, session_id, client_id, redirect_uri, challenge, expires_at"

    static func read(_ row: SQLRow) throws(AccountStoreError) -> AppCode {
        AppCode(
            hash: try row.hash(0),
            account: AccountID(rawValue: try row.text(1)),
            session: SessionID(rawValue: try row.text(2)),
            binding: AppCodeBinding(
                clientID: ClientID(rawValue: try row.text(3)),
                redirectURI: try row.text(4),
                challenge: try row.text(5)
            ),
            expiresAt: try row.date(6)
        )
    }
}

/// The columns of a key of access tokens, read by position.
enum TokenKeyRow {
    static let columns = "id, sealed_key, public_key, created_at, signs_from, published_until"

    static func read(_ row: SQLRow) throws(AccountStoreError) -> TokenKey {
        TokenKey(
            id: try row.text(0),
            sealedKey: try row.text(1),
            publicKey: try row.optionalBytes(2) ?? Data(),
            createdAt: try row.date(3),
            signsFrom: try row.date(4),
            publishedUntil: try row.optionalDate(5)
        )
    }
}

/// The columns of an outbox entry, read by position.
enum OutboxRow {
    static let columns = "id, kind, payload, person_hash, waits_for, created_at, attempt_count"

    static func read(_ row: SQLRow) throws(AccountStoreError) -> OutboxEntry {
        guard let kind = OutboxTask.Kind(rawValue: try row.text(1)) else {
            throw AccountStoreError(.failed, hint: "an outbox entry has an unknown kind")
        }
        return OutboxEntry(
            id: try id(row),
            task: try task(kind, try row.text(2)),
            person: try row.optionalHash(3),
            waitsFor: try row.optionalText(4).map(OutboxID.init(rawValue:)),
            createdAt: try row.date(5),
            attemptCount: try row.count(6)
        )
    }

    static func id(_ row: SQLRow) throws(AccountStoreError) -> OutboxID {
        OutboxID(rawValue: try row.text(0))
    }

    private static func task(
        _ kind: OutboxTask.Kind,
        _ payload: String
    ) throws(AccountStoreError) -> OutboxTask {
        guard let task = try? OutboxTask(kind: kind, payload: payload) else {
            throw AccountStoreError(
                .failed,
                hint: "an outbox entry can't be read: \(kind.rawValue)"
            )
        }
        return task
    }
}
