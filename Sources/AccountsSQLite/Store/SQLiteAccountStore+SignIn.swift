import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Begins a sign-in; without a name there is nothing to write, and the writer is left alone.
    package func beginSignIn(
        _ attempt: SignInAttempt
    ) async throws(AccountStoreError) -> SignInRefusal? {
        guard attempt.name != nil else {
            return try await read { database in
                attempt.decision(given: try database.facts(of: attempt).facts).answer
            }
        }
        return try await writer.decide { database in
            attempt.decision(given: try database.facts(of: attempt).facts)
        }
    }

    /// Completes a sign-in.
    package func completeSignIn(
        _ completion: SignInCompletion
    ) async throws(AccountStoreError) -> SignInOutcome {
        try await writer.decide { database in
            completion.decision(given: try database.facts(of: completion))
        }
    }

    /// Acts on what happened to a person at Apple.
    package func apply(_ event: AppleEvent) async throws(AccountStoreError) -> AppleEventOutcome {
        try await writer.decide { database in
            event.decision(given: try database.facts(of: event))
        }
    }
}

extension Database {
    /// What an attempt is decided by, and how many live sessions the account has.
    func facts(
        of attempt: SignInAttempt
    ) throws -> (facts: SignInFacts, sessionCount: Int) {
        let person = attempt.person
        let row = try row(
            Self.signInFacts,
            [
                attempt.tokenHash.bytes, attempt.nonce?.hash.bytes, person.hash.bytes,
                person.issuer, person.user.rawValue, attempt.now.microseconds,
                attempt.emailKey,
            ]
        )
        guard let row else { throw AccountStoreError(.failed, hint: "a query gave no row") }
        let hasQueued: Bool = row[6]
        let consentEndedAt: Int64? = row[2]
        let account = try AccountRow.read(row, from: 9)
        let facts = SignInFacts(
            isTokenUsed: row[0],
            isNonceUsed: row[1],
            consentEndedAt: consentEndedAt.map(Date.init(microseconds:)),
            account: account,
            pendingName: try AccountRow.name(row, 3, parts: 4),
            isEmailTaken: account == nil ? row[8] : false,
            queuedRevocations: hasQueued ? try queuedRevocations(of: person) : []
        )
        return (facts, row[7])
    }

    private static let signInFacts = """
        SELECT EXISTS (SELECT 1 FROM used_once WHERE hash = ?1),
            EXISTS (SELECT 1 FROM used_once WHERE hash = ?2),
            (SELECT max(consent_ended_at) FROM apple_events
                WHERE person_hash = ?3 AND consent_ended_at IS NOT NULL),
            pending_names.name, pending_names.given_name, pending_names.family_name,
            EXISTS (SELECT 1 FROM outbox WHERE person_hash = ?3),
            (SELECT count(*) FROM sessions
                WHERE account_id = accounts.id AND expires_at > ?6),
            EXISTS (SELECT 1 FROM accounts AS taken
                WHERE lower(taken.email) = ?7 AND taken.username IS NOT NULL
                    AND taken.email_is_verified),
            \(AccountRow.columns)
        FROM (SELECT 1)
            LEFT JOIN apple_identities
                ON apple_identities.issuer = ?4 AND apple_identities.subject = ?5
            LEFT JOIN accounts ON accounts.id = apple_identities.account_id
            LEFT JOIN pending_names
                ON pending_names.issuer = ?4 AND pending_names.subject = ?5
        """

    fileprivate func facts(of completion: SignInCompletion) throws -> SignInFacts {
        var (facts, sessionCount) = try facts(of: completion.apple.attempt)
        let opening = completion.opening
        // Most accounts have few sessions: which of them are too many is looked up only when some are.
        let isCrowded = sessionCount >= opening.maximumSessionCount
        facts.sessions = try self.facts(
            of: opening,
            isCrowded || opening.notice != nil ? facts.account?.id : nil,
            mayBeDone: facts.isTokenUsed
        )
        return facts
    }

    fileprivate func facts(of event: AppleEvent) throws -> AppleEventFacts {
        let known = try row(
            """
            SELECT 1 FROM apple_events
            WHERE (notification_hash = ? OR event_hash = ?) AND remembered_until > ?
            """,
            [event.notificationHash.bytes, event.eventHash.bytes, event.now.microseconds]
        )
        let account = try row(
            """
            SELECT \(AccountRow.columns) FROM apple_identities
                JOIN accounts ON accounts.id = apple_identities.account_id
            WHERE apple_identities.issuer = ? AND apple_identities.subject = ?
            """,
            [event.person.issuer, event.person.user.rawValue]
        )
        return AppleEventFacts(
            isKnown: known != nil,
            account: try account.flatMap { try AccountRow.read($0) },
            queuedRevocations: try queuedRevocations(of: event.person)
        )
    }

    private func queuedRevocations(of person: ApplePerson) throws -> [OutboxEntry] {
        try rows(
            """
            SELECT \(OutboxRow.columns) FROM outbox WHERE person_hash = ? AND kind = ?
            ORDER BY created_at
            """,
            [person.hash.bytes, OutboxTask.Kind.revocation.rawValue]
        )
        // One that can't be read must not keep its person from signing in.
        .compactMap { try? OutboxRow.read($0) }
    }
}
