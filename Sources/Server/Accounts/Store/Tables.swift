import AppleIdentity
import Foundation

/// The tables; their statements, the schema and a copy are made of these descriptions.
enum Tables {
    /// The tables of a copy; a table comes after those that it refers to.
    static let all: [any RecordTable] = [
        accounts, identities, transfers, sessions, refreshTokens, passwords, throttles, mailTokens,
        appCodes, tokenKeys, pendingNames, usedOnce, events, outbox, auditEntries,
    ]

    /// The tables that describe the database itself.
    static let ofTheDatabase: [any RecordTable] = [identity, copies, copiedTables, serverKeys]

    static let never = Date(timeIntervalSince1970: 0)
    static let ofAccount = "REFERENCES accounts (id) ON DELETE CASCADE"

    // MARK: Accounts

    static let accounts = Table(
        "accounts",
        blank: Account(id: "", createdAt: never),
        accountColumns,
        indexes: [
            StoreIndex(
                "accounts_by_username",
                on: "username",
                where: "username IS NOT NULL",
                isUnique: true
            ),
            StoreIndex("accounts_by_email", on: "email_key", where: "username IS NOT NULL"),
            // Sign-ins read the other index, which has the accounts with usernames only.
            StoreIndex(
                "accounts_by_other_email",
                on: "email_key",
                where: "username IS NULL AND email_key IS NOT NULL",
                since: .administration
            ),
            StoreIndex("accounts_by_age", on: "created_at", since: .administration),
        ]
    )

    private static let accountColumns: [Column<Account>] = [
        Column("id", \.id, isKey: true),
        Column("name", get: { $0.name?.text }, set: { $0.name = $1.map { AccountName($0) } }),
        Column("given_name", get: { $0.name?.givenName }, set: { $0.name?.givenName = $1 }),
        Column("family_name", get: { $0.name?.familyName }, set: { $0.name?.familyName = $1 }),
        Column(
            "email",
            get: { $0.email?.text },
            set: {
                $0.email = $1.map {
                    EmailAddress(text: $0, isVerified: false, isPrivateRelay: false)
                }
            }
        ),
        Column("email_key", get: { $0.email?.key }),
        Column(
            "email_is_verified",
            get: { $0.email?.isVerified ?? false },
            set: { $0.email?.isVerified = $1 }
        ),
        Column(
            "email_is_private_relay",
            get: { $0.email?.isPrivateRelay ?? false },
            set: { $0.email?.isPrivateRelay = $1 }
        ),
        Column(
            "email_is_own",
            get: { $0.email?.isOwn ?? false },
            set: { $0.email?.isOwn = $1 }
        ),
        Column("email_since", \.emailSince),
        Column(
            "pending_email",
            get: { $0.pendingEmail?.address },
            set: { $0.pendingEmail = $1.map { PendingEmail(address: $0, session: "") } }
        ),
        Column(
            "pending_email_session",
            get: { $0.pendingEmail?.session },
            set: { if let session = $1 { $0.pendingEmail?.session = session } }
        ),
        Column("mail_is_forwarded", \.isMailForwarded),
        Column("mail_forwarding_changed_at", \.mailForwardingChangedAt),
        Column("username", \.username),
        Column("password_set_at", \.passwordSetAt),
        Column("created_at", \.createdAt),
    ]

    /// An Apple user has one account, and an account has at most one Apple user.
    static let identities = Table(
        "apple_identities",
        blank: Owned(account: "", value: blankLink),
        [
            Column("account_id", \.account, ofAccount, isKey: true),
            Column("issuer", \.value.person.issuer),
            Column("subject", \.value.person.user),
            Column("client_id", \.value.clientID),
            Column("linked_at", \.value.linkedAt),
            Column("consented_at", \.value.consentedAt),
            Column("revoked_at", \.value.revokedAt),
            Column("has_refresh_token", \.value.hasRefreshToken),
        ],
        unique: "issuer, subject"
    )

    private static let noPerson = ApplePerson(issuer: "", user: "")
    private static let blankLink = AppleLink(
        person: noPerson,
        clientID: "",
        linkedAt: never,
        consentedAt: never,
        hasRefreshToken: false
    )

    /// The transfer identifiers by which the receiving team finds users who are not migrated yet.
    static let transfers = Table(
        "apple_transfers",
        blank: AppleTransfer(account: "", identifier: noPerson, team: ""),
        [
            Column(
                "account_id",
                \.account,
                "REFERENCES apple_identities (account_id) ON DELETE CASCADE",
                isKey: true
            ),
            Column("issuer", \.identifier.issuer),
            Column("identifier", \.identifier.user),
            Column("team_id", \.team),
        ],
        unique: "issuer, identifier"
    )

    static let sessions = Table(
        "sessions",
        blank: StoredSession(
            session: Session(
                id: "",
                accountID: "",
                device: "",
                signInMethod: .apple,
                createdAt: never,
                signedInAt: never,
                lastUsedAt: never,
                expiresAt: never
            ),
            tokenHash: blankHash
        ),
        [
            Column("token_hash", \.tokenHash, isKey: true),
            Column("id", \.session.id, "UNIQUE"),
            Column("account_id", \.session.accountID, ofAccount),
            Column("device", \.session.device),
            Column("sign_in_method", \.session.signInMethod),
            Column("created_at", \.session.createdAt),
            Column("signed_in_at", \.session.signedInAt),
            Column("last_used_at", \.session.lastUsedAt),
            Column("expires_at", \.session.expiresAt),
        ],
        indexes: [
            StoreIndex("sessions_by_account", on: "account_id, expires_at"),
            StoreIndex("sessions_by_end", on: "expires_at"),
        ]
    )

    static let blankHash = SecretHash(bytes: Data())

    // MARK: Signing in

    /// The names of users with an unfinished sign-in, because Apple sends a name only once.
    static let pendingNames = Table(
        "pending_names",
        blank: PendingName(person: noPerson, name: "", createdAt: never),
        [
            Column("issuer", \.person.issuer, isKey: true),
            Column("subject", \.person.user, isKey: true),
            Column("name", \.name.text),
            Column("given_name", \.name.givenName),
            Column("family_name", \.name.familyName),
            Column("created_at", \.createdAt),
        ],
        indexes: [StoreIndex("pending_names_by_age", on: "created_at")]
    )

    /// Used identity tokens and nonces, by their hashes.
    static let usedOnce = Table(
        "used_once",
        blank: UsedHash(hash: blankHash, rememberedUntil: never),
        [
            Column("hash", \.hash, isKey: true),
            Column("remembered_until", \.rememberedUntil),
        ],
        indexes: [StoreIndex("used_once_by_end", on: "remembered_until")]
    )

    /// Processed notifications, as hashes only, because the user may be deleted.
    static let events = Table(
        "apple_events",
        blank: StoredEvent(
            notificationHash: blankHash,
            eventHash: blankHash,
            personHash: blankHash,
            rememberedUntil: never
        ),
        [
            Column("notification_hash", \.notificationHash, isKey: true),
            Column("event_hash", \.eventHash, "UNIQUE"),
            Column("person_hash", \.personHash),
            Column("consent_ended_at", \.consentEndedAt),
            Column("remembered_until", \.rememberedUntil),
        ],
        indexes: [
            StoreIndex(
                "apple_events_by_person",
                on: "person_hash, consent_ended_at",
                where: "consent_ended_at IS NOT NULL"
            ),
            StoreIndex("apple_events_by_end", on: "remembered_until"),
        ]
    )

    // MARK: Outbox and audit log

    /// External actions to carry out at least once.
    ///
    /// A hash identifies the user, whose account may be deleted.
    static let outbox = Table(
        "outbox",
        blank: StoredEntry(),
        [
            Column("id", \.id, isKey: true),
            Column("kind", \.kind),
            Column("payload", \.payload),
            Column("person_hash", \.person),
            // The entry to carry out first.
            Column("waits_for", \.waitsFor),
            Column("created_at", \.createdAt),
            Column("attempt_count", \.attemptCount, "DEFAULT 0"),
            Column("next_attempt_at", get: { $0.createdAt }),
            Column("claimed_by", String?.self),
            Column("claimed_until", Date?.self),
            Column("last_error", String?.self),
            Column("is_refused", Bool.self, "DEFAULT false"),
        ],
        indexes: [
            StoreIndex("outbox_due", on: "kind, next_attempt_at", where: "NOT is_refused"),
            StoreIndex("outbox_by_person", on: "person_hash", where: "person_hash IS NOT NULL"),
        ]
    )

    /// Entries outlive the accounts that they name.
    static let auditEntries = Table(
        "audit_entries",
        blank: AuditEntry(id: "", occurredAt: never, action: "", actor: ""),
        [
            Column("id", \.id, isKey: true),
            Column("occurred_at", \.occurredAt),
            Column("action", \.action),
            Column("actor", \.actor),
            Column("administrator", \.administrator),
            Column("account_id", \.account),
            Column("session_id", \.session),
            Column("address", \.address),
            Column("client", \.client),
            Column("detail", \.detail),
        ],
        indexes: [
            StoreIndex(
                "audit_entries_by_account",
                on: "account_id, id",
                where: "account_id IS NOT NULL"
            ),
            StoreIndex("audit_entries_by_time", on: "occurred_at"),
        ]
    )

    // MARK: The database

    /// One row: the name by which an unfinished copy recognizes its source.
    private static let identity = Table(
        "store_identity",
        blank: true,
        [Column("id", Int.self, isKey: true), Column("name", String.self)]
    )

    /// One row in a database copied from another one; servers open it when the copy is finished.
    private static let copies = Table(
        "store_copies",
        blank: true,
        [
            Column("id", Int.self, isKey: true),
            Column("source", String.self),
            Column("started_at", Date.self),
            Column("finished_at", Date?.self),
        ]
    )

    /// The progress of each table: the key of the last row copied, and a digest of all.
    private static let copiedTables = Table(
        "copied_tables",
        blank: true,
        [
            Column("name", String.self, isKey: true),
            Column("position", String.self),
            Column("digest", String.self),
        ]
    )

    /// The fingerprints of the servers' sealing keys, written to check that the database is writable.
    private static let serverKeys = Table(
        "server_keys",
        blank: true,
        [Column("sealing_keys", String.self, isKey: true), Column("recorded_at", Date.self)],
        since: .administration
    )
}
