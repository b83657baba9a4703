extension StoreTable {
    /// All tables of a copy; a table comes after those that it refers to.
    ///
    /// Tests compare the list with the tables of each store, because a table that is not listed is not copied.
    package static let all: [StoreTable] = people + secrets + signingIn + [outbox, auditLog]

    private static let people = [
        StoreTable(
            "accounts",
            key: [.text("id")],
            [
                .text("name").optional, .text("given_name").optional,
                .text("family_name").optional, .text("email").optional,
                .text("email_key").optional,
                .boolean("email_is_verified"), .boolean("email_is_private_relay"),
                .boolean("email_is_own"), .integer("email_since").optional,
                .text("pending_email").optional,
                .text("pending_email_session").optional,
                .boolean("mail_is_forwarded"), .integer("mail_forwarding_changed_at").optional,
                .text("username").optional, .integer("password_set_at").optional,
                .integer("created_at"),
            ]
        ),
        StoreTable(
            "apple_identities",
            key: [.text("account_id")],
            [
                .text("issuer"), .text("subject"), .text("client_id"), .integer("linked_at"),
                .integer("consented_at"), .integer("revoked_at").optional,
                .boolean("has_refresh_token"),
            ]
        ),
        StoreTable(
            "apple_transfers",
            key: [.text("account_id")],
            [.text("issuer"), .text("identifier"), .text("team_id")]
        ),
        StoreTable(
            "sessions",
            key: [.bytes("token_hash")],
            [
                .text("id"), .text("account_id"), .text("device"), .text("sign_in_method"),
                .integer("created_at"), .integer("signed_in_at"), .integer("last_used_at"),
                .integer("expires_at"),
            ]
        ),
    ]

    private static let secrets = [
        StoreTable(
            "apple_refresh_tokens",
            key: [.text("account_id"), .text("client_id")],
            [.text("id"), .text("sealed_token"), .integer("received_at"), .integer("validates_at")]
        ),
        StoreTable(
            "passwords",
            key: [.text("account_id")],
            [.text("hash"), .integer("changed_at")]
        ),
        StoreTable(
            "throttles",
            key: [.bytes("key")],
            [.integer("attempt_count"), .integer("blocked_until"), .integer("expires_at")]
        ),
        StoreTable(
            "mail_tokens",
            key: [.bytes("hash")],
            [
                .text("account_id"), .text("purpose"), .text("address"), .integer("expires_at"),
                .text("snapshot").optional,
            ]
        ),
        StoreTable(
            "app_codes",
            key: [.bytes("hash")],
            [
                .text("account_id"), .text("session_id"), .text("client_id"),
                .text("redirect_uri"), .text("challenge"), .integer("expires_at"),
            ]
        ),
        StoreTable(
            "token_keys",
            key: [.text("id")],
            [
                .text("sealed_key"), .bytes("public_key"), .integer("created_at"),
                .integer("signs_from"), .integer("published_until").optional,
            ]
        ),
    ]

    private static let signingIn = [
        StoreTable(
            "pending_names",
            key: [.text("issuer"), .text("subject")],
            [
                .text("name"), .text("given_name").optional, .text("family_name").optional,
                .integer("created_at"),
            ]
        ),
        StoreTable("used_once", key: [.bytes("hash")], [.integer("remembered_until")]),
        StoreTable(
            "apple_events",
            key: [.bytes("notification_hash")],
            [
                .bytes("event_hash"), .bytes("person_hash"),
                .integer("consent_ended_at").optional, .integer("remembered_until"),
            ]
        ),
    ]

    private static let outbox = StoreTable(
        "outbox",
        key: [.text("id")],
        [
            .text("kind"), .text("payload"), .bytes("person_hash").optional,
            .text("waits_for").optional, .integer("created_at"), .integer("attempt_count"),
            .integer("next_attempt_at"),
            .text("claimed_by").optional, .integer("claimed_until").optional,
            .text("last_error").optional, .boolean("is_refused"),
        ]
    )

    private static let auditLog = StoreTable(
        "audit_entries",
        key: [.text("id")],
        [
            .integer("occurred_at"), .text("action"), .text("actor"),
            .text("administrator").optional, .text("account_id").optional,
            .text("session_id").optional, .text("address").optional, .text("client").optional,
            .text("detail").optional,
        ]
    )
}
