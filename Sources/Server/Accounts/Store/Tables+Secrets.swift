import AppleIdentity
import Foundation

/// Tokens, passwords and codes.
extension Tables {
    static let refreshTokens = Table(
        "apple_refresh_tokens",
        blank: Owned(
            account: "",
            value: RefreshToken(id: "", clientID: "", sealedToken: "", receivedAt: never)
        ),
        [
            Column("account_id", \.account, ofAccount, isKey: true),
            Column("client_id", \.value.clientID, isKey: true),
            Column("id", \.value.id),
            Column("sealed_token", \.value.sealedToken),
            Column("received_at", \.value.receivedAt),
            Column("validates_at", get: { $0.value.firstValidation }),
        ],
        indexes: [StoreIndex("apple_refresh_tokens_by_validation", on: "validates_at")]
    )

    static let passwords = Table(
        "passwords",
        blank: StoredPassword(account: "", hash: "", changedAt: never),
        [
            Column("account_id", \.account, ofAccount, isKey: true),
            Column("hash", \.hash),
            Column("changed_at", \.changedAt),
        ]
    )

    /// Attempts, by keyed hashes of usernames and IP addresses.
    static let throttles = Table(
        "throttles",
        blank: Throttle(key: blankHash, attemptCount: 0, blockedUntil: never, expiresAt: never),
        [
            Column("key", \.key, isKey: true),
            Column("attempt_count", \.attemptCount),
            Column("blocked_until", \.blockedUntil),
            Column("expires_at", \.expiresAt),
        ],
        indexes: [StoreIndex("throttles_by_end", on: "expires_at")]
    )

    /// The links in emails, by the hashes of their secrets; what an undone change restores is JSON.
    static let mailTokens = Table(
        "mail_tokens",
        blank: MailToken(
            hash: blankHash,
            account: "",
            purpose: .verification,
            address: "",
            expiresAt: never
        ),
        [
            Column("hash", \.hash, isKey: true),
            Column("account_id", \.account, ofAccount),
            Column("purpose", \.purpose),
            Column("address", \.address),
            Column("expires_at", \.expiresAt),
            Column(
                "snapshot",
                get: { try $0.snapshot.map { try $0.storedText() } },
                set: { $0.snapshot = try $1.map { try AccountSnapshot(storedText: $0) } }
            ),
        ],
        indexes: [
            StoreIndex("mail_tokens_by_account", on: "account_id"),
            StoreIndex("mail_tokens_by_end", on: "expires_at"),
        ]
    )

    /// The session is no foreign key: the exchange of a code looks it up, because it may have ended.
    static let appCodes = Table(
        "app_codes",
        blank: AppCode(
            hash: blankHash,
            account: "",
            session: "",
            binding: AppCodeBinding(clientID: "", redirectURI: "", challenge: ""),
            expiresAt: never
        ),
        [
            Column("hash", \.hash, isKey: true),
            Column("account_id", \.account, ofAccount),
            Column("session_id", \.session),
            Column("client_id", \.binding.clientID),
            Column("redirect_uri", \.binding.redirectURI),
            Column("challenge", \.binding.challenge),
            Column("expires_at", \.expiresAt),
        ],
        indexes: [
            StoreIndex("app_codes_by_account", on: "account_id"),
            StoreIndex("app_codes_by_end", on: "expires_at"),
        ]
    )

    /// A table of a few rows, so without an index.
    static let tokenKeys = Table(
        "token_keys",
        blank: TokenKey(
            id: "",
            sealedKey: "",
            publicKey: Data(),
            createdAt: never,
            signsFrom: never
        ),
        [
            Column("id", \.id, isKey: true),
            Column("sealed_key", \.sealedKey),
            Column("public_key", \.publicKey),
            Column("created_at", \.createdAt),
            Column("signs_from", \.signsFrom),
            Column("published_until", \.publishedUntil),
        ],
        since: .tokenKeys
    )
}
