import Accounts
import AppleIdentity
import Foundation

/// Selects an account, by its identifier or by a value from which the statement itself finds the identifier.
enum AccountKey: Sendable {
    case id(AccountID)
    case person(ApplePerson)
    case username(Username)
    /// The account that migrates to another team under this transfer identifier.
    case transfer(ApplePerson)
    /// The account of the code or, when the code was used, of the session that it opened.
    case appCode(SecretHash, orSession: SessionID)
    /// The account of the link in a mail while the link is valid, otherwise `orElse`.
    case mailToken(SecretHash, now: Date, orElse: AccountID?)

    /// An SQL expression for the account's identifier; its parameters start at `$1`.
    var sql: String {
        switch self {
        case .id: "$1"
        case .person:
            "(SELECT account_id FROM apple_identities WHERE issuer = $1 AND subject = $2)"
        case .username: "(SELECT id FROM accounts WHERE username = $1)"
        case .transfer:
            "(SELECT account_id FROM apple_transfers WHERE issuer = $1 AND identifier = $2)"
        case .appCode:
            """
            coalesce((SELECT account_id FROM app_codes WHERE hash = $1),
                (SELECT account_id FROM sessions WHERE id = $2))
            """
        case .mailToken:
            "coalesce((SELECT account_id FROM mail_tokens WHERE \(MailTokenRow.isAlive)), $3)"
        }
    }

    var values: [SQLValue] {
        switch self {
        case .id(let id): [.text(id.rawValue)]
        case .person(let person), .transfer(let person):
            [.text(person.issuer), .text(person.user.rawValue)]
        case .username(let username): [.text(username.text)]
        case .appCode(let hash, let session): [.bytes(hash.bytes), .text(session.rawValue)]
        case .mailToken(let hash, let now, let other):
            [.bytes(hash.bytes), .date(now), .text(other?.rawValue)]
        }
    }

    /// The name of the parameter at `index`, counted from 0, after those of ``values``.
    func parameter(_ index: Int) -> String { "$\(values.count + 1 + index)" }
}

extension Question {
    mutating func account(_ key: AccountKey) -> Fact<Account?> {
        first(
            "SELECT \(AccountRow.columns) FROM \(AccountRow.tables) WHERE accounts.id = \(key.sql)",
            key.values
        ) { try AccountRow.read($0) }
    }

    mutating func refreshTokens(of key: AccountKey) -> Fact<[RefreshToken]> {
        list(
            "SELECT \(RefreshTokenRow.columns) FROM apple_refresh_tokens WHERE account_id = \(key.sql)",
            key.values
        ) { try RefreshTokenRow.read($0) }
    }

    mutating func password(of key: AccountKey) -> Fact<StoredPassword?> {
        first(
            "SELECT account_id, hash, changed_at FROM passwords WHERE account_id = \(key.sql)",
            key.values
        ) { row in
            StoredPassword(
                account: AccountID(rawValue: try row.text(0)),
                hash: try row.text(1),
                changedAt: try row.date(2)
            )
        }
    }

    mutating func accountID(named username: Username) -> Fact<AccountID?> {
        first("SELECT id FROM accounts WHERE username = $1", [.text(username.text)]) {
            AccountID(rawValue: try $0.text(0))
        }
    }

    mutating func throttles(_ uses: [ThrottleUse]) -> Fact<[Throttle]> {
        let facts = uses.map { use in
            first(
                "SELECT attempt_count, blocked_until, expires_at FROM throttles WHERE key = $1",
                [.bytes(use.key.bytes)]
            ) { row in
                Throttle(
                    key: use.key,
                    attemptCount: try row.count(0),
                    blockedUntil: try row.date(1),
                    expiresAt: try row.date(2)
                )
            }
        }
        return Fact { answers in try facts.compactMap { try answers[$0] } }
    }

    mutating func mailToken(_ hash: SecretHash, now: Date) -> Fact<MailToken?> {
        first(
            "SELECT \(MailTokenRow.columns) FROM mail_tokens WHERE \(MailTokenRow.isAlive)",
            [.bytes(hash.bytes), .date(now)]
        ) { try MailTokenRow.read($0) }
    }
}
