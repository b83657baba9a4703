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
            "coalesce((SELECT account_id FROM mail_tokens WHERE \(MailToken.isAlive)), $3)"
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

extension Query {
    mutating func account(_ key: AccountKey) -> QueryResult<Account?> {
        first(Selections.account, "WHERE accounts.id = \(key.sql)", key.values)
    }

    mutating func refreshTokens(of key: AccountKey) -> QueryResult<[RefreshToken]> {
        list(Selections.refreshToken, "WHERE account_id = \(key.sql)", key.values)
    }

    mutating func password(of key: AccountKey) -> QueryResult<StoredPassword?> {
        first(Tables.passwords.selection, "WHERE account_id = \(key.sql)", key.values)
    }

    mutating func accountID(named username: Username) -> QueryResult<AccountID?> {
        first("SELECT id FROM accounts WHERE username = $1", [.text(username.text)]) {
            AccountID(rawValue: try $0.text(0))
        }
    }

    mutating func throttles(_ uses: [ThrottleUse]) -> QueryResult<[Throttle]> {
        let found = uses.map {
            first(Tables.throttles.selection, "WHERE key = $1", [.bytes($0.key.bytes)])
        }
        return QueryResult { results in try found.compactMap { try results[$0] } }
    }

    mutating func mailToken(_ hash: SecretHash, now: Date) -> QueryResult<MailToken?> {
        first(
            Tables.mailTokens.selection,
            "WHERE \(MailToken.isAlive)",
            [.bytes(hash.bytes), .date(now)]
        )
    }
}

extension MailToken {
    /// The condition for a valid link, with the hash and the time as parameters.
    static let isAlive =
        "hash = $1 AND \(Query.isLater("expires_at", than: "$2")) AND \(isKnown)"

    /// The condition that excludes purposes that only a newer version knows.
    static let isKnown = "purpose IN (\(purposes))"

    private static let purposes = Purpose.allCases.map { "'\($0.rawValue)'" }
        .joined(separator: ", ")
}
