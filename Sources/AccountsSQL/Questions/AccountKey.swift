import Accounts
import AppleIdentity
import Foundation

/// Whose account is meant: by its identifier, or by what leads to it, without asking for the identifier first.
enum AccountKey: Sendable {
    case id(AccountID)
    case person(ApplePerson)
    case username(Username)
    /// That of the person on their way to another team.
    case transfer(ApplePerson)
    /// That of the code; when it is used up, that of the session that it opened.
    case appCode(SecretHash, orSession: SessionID)
    /// That of the link, while it may be followed.
    case mailToken(SecretHash, now: Date, orElse: AccountID?)

    /// An expression for the account's identifier, with the parameters from `$1` on.
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

    /// The parameter behind these, counted from 0.
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
