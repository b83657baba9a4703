import Accounts
import AppleIdentity
import Foundation
import GRDB

/// The columns of a code, read by position.
enum AppCodeRow {
    static let columns =
        "hash, account_id, session_id, client_id, redirect_uri, challenge, expires_at"

    static func read(_ row: Row) -> AppCode {
        AppCode(
            hash: SecretHash(bytes: row[0]),
            account: AccountID(rawValue: row[1]),
            session: SessionID(rawValue: row[2]),
            binding: AppCodeBinding(
                clientID: ClientID(rawValue: row[3]),
                redirectURI: row[4],
                challenge: row[5]
            ),
            expiresAt: Date(microseconds: row[6])
        )
    }
}
