import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Acts on what happened to a person at Apple.
    public func apply(_ event: AppleEvent) async throws(AccountStoreError) -> AppleEventOutcome {
        try await connected { database in
            let outcome = try Self.transaction(in: database) {
                try Self.apply(event, in: database)
            }
            if case .applied = outcome, event.change == .accountDeleted {
                Self.wipeLog(of: database)
            }
            return outcome
        }
    }

    private static func apply(
        _ event: AppleEvent,
        in database: Database
    ) throws -> AppleEventOutcome {
        try forgetOldEvents(now: event.now, in: database)
        guard try remember(event, in: database) else { return .repeated }
        let identity = try database.row(
            """
            SELECT account_id, consented_at FROM apple_identities
            WHERE issuer = ? AND subject = ?
            """,
            [event.issuer, event.user.rawValue]
        )
        guard let identity else { return .unknownPerson }
        let account = AccountID(rawValue: identity[0])
        let consentedAt: Double = identity[1]
        let isApplied: Bool
        switch event.change {
        case .emailEnabled(let address):
            isApplied = try setDeliverable(true, address, event, of: account, in: database)
        case .emailDisabled(let address):
            isApplied = try setDeliverable(false, address, event, of: account, in: database)
        case .consentRevoked, .accountDeleted:
            // Identity tokens count whole seconds, events thousandths: in doubt consent has ended.
            isApplied = event.eventTime.seconds >= consentedAt
            if isApplied { try endConsent(event, of: account, in: database) }
        }
        return isApplied ? .applied(account) : .superseded(account)
    }

    static func forgetOldEvents(now: Date, in database: Database) throws {
        try database.run(
            """
            DELETE FROM apple_events WHERE notification_hash IN (
                SELECT notification_hash FROM apple_events WHERE remembered_until <= ? LIMIT ?
            )
            """,
            [now.seconds, maximumForgottenRowCount]
        )
    }

    /// Whether the event is a new one.
    private static func remember(_ event: AppleEvent, in database: Database) throws -> Bool {
        let inserted = try database.row(
            """
            INSERT INTO apple_events (notification_hash, event_hash, person_hash,
                consent_ended_at, remembered_until)
            VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1
            """,
            [
                event.notificationHash.bytes, event.eventHash.bytes,
                personHash(event.issuer, event.user).bytes,
                event.endsConsent ? event.eventTime.seconds : nil, event.rememberedUntil.seconds,
            ]
        )
        return inserted != nil
    }

    private static func endConsent(
        _ event: AppleEvent,
        of account: AccountID,
        in database: Database
    ) throws {
        guard event.change == .consentRevoked else {
            // Apple has ended all tokens itself: nothing is left to be revoked.
            return try remove(account, in: database)
        }
        for sql in [
            "DELETE FROM sessions WHERE account_id = ?",
            "DELETE FROM apple_refresh_tokens WHERE account_id = ?",
        ] {
            try database.run(sql, [account.rawValue])
        }
        try database.run(
            "UPDATE apple_identities SET revoked_at = ? WHERE account_id = ?",
            [event.eventTime.seconds, account.rawValue]
        )
    }

    /// Follows a switch of the forwarding, unless a later one is known or the address is another.
    private static func setDeliverable(
        _ isDeliverable: Bool,
        _ address: String?,
        _ event: AppleEvent,
        of account: AccountID,
        in database: Database
    ) throws -> Bool {
        let changed = try database.row(
            """
            UPDATE accounts SET email_is_deliverable = ?1, email_event_at = ?2
            WHERE id = ?3 AND email IS NOT NULL AND lower(email) = lower(ifnull(?4, email))
                AND (email_event_at IS NULL OR email_event_at <= ?2)
            RETURNING 1
            """,
            [isDeliverable, event.eventTime.seconds, account.rawValue, address]
        )
        return changed != nil
    }
}
