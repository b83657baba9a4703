import AppleIdentity
import Foundation

extension Query {
    /// The facts that decide whether a sign-in may continue.
    mutating func facts(of check: SignInCheck) -> QueryResult<SignInFacts> {
        let person = check.person
        let found = add(
            Self.signInFacts,
            [
                .bytes(check.identityTokenHash.bytes), .bytes(check.nonce?.hash.bytes),
                .bytes(person.hash.bytes), .text(person.issuer), .text(person.user.rawValue),
                .text(check.emailKey),
            ]
        ) { rows in
            guard let row = rows.first else {
                throw AccountStoreError(.failed, hint: "a query returned no row")
            }
            var reader = RowReader(row)
            var facts = SignInFacts()
            facts.isTokenUsed = try reader.next()
            facts.isNonceUsed = try reader.next()
            facts.consentEndedAt = try reader.next()
            facts.emailOwner = try reader.next()
            facts.pendingName = try Tables.pendingNames.selection.readIfPresent(&reader)?.name
            facts.account = try Selections.accountIfPresent.read(&reader)
            return facts
        }
        let revocations = queuedRevocations(of: person)
        return QueryResult { results in
            var facts = try results[found]
            facts.queuedRevocations = try results[revocations]
            return facts
        }
    }

    private static let signInFacts = """
        SELECT EXISTS (SELECT 1 FROM used_once WHERE hash = $1),
            EXISTS (SELECT 1 FROM used_once WHERE hash = $2),
            (SELECT max(consent_ended_at) FROM apple_events
                WHERE person_hash = $3 AND consent_ended_at IS NOT NULL),
            (SELECT min(taken.id) FROM accounts AS taken
                WHERE taken.email_key = $6 AND taken.username IS NOT NULL
                    AND taken.email_is_verified),
            \(Tables.pendingNames.selection.columns), \(Selections.accountIfPresent.columns)
        FROM (SELECT 1 AS one) AS always
            LEFT JOIN apple_identities
                ON apple_identities.issuer = $4 AND apple_identities.subject = $5
            LEFT JOIN accounts ON accounts.id = apple_identities.account_id
            LEFT JOIN pending_names
                ON pending_names.issuer = $4 AND pending_names.subject = $5
        """

    /// The facts that decide the last step of a sign-in.
    mutating func facts(of commit: SignInCommit) -> QueryResult<SignInFacts> {
        let signIn = facts(of: commit.check)
        let sessions = facts(of: commit.opening, .person(commit.check.person))
        return QueryResult { results in
            var facts = try results[signIn]
            facts.sessions = try results[sessions]
            // The session is this commit's only if the commit was carried out, which marks the token as used.
            if !facts.isTokenUsed { facts.sessions.completedSession = nil }
            return facts
        }
    }

    /// The facts that decide how an event from Apple is applied.
    mutating func facts(of event: AppleEvent) -> QueryResult<AppleEventFacts> {
        let isKnown = exists(
            """
            apple_events WHERE (notification_hash = $1 OR event_hash = $2)
                AND \(Self.isLater("remembered_until", than: "$3"))
            """,
            [
                .bytes(event.notificationHash.bytes), .bytes(event.eventHash.bytes),
                .date(event.now),
            ]
        )
        let account = account(.person(event.person))
        let revocations = queuedRevocations(of: event.person)
        return QueryResult { results in
            AppleEventFacts(
                isKnown: try results[isKnown],
                account: try results[account],
                queuedRevocations: try results[revocations]
            )
        }
    }

    private mutating func queuedRevocations(of person: ApplePerson) -> QueryResult<[OutboxEntry]> {
        list(
            Tables.outbox.selection,
            "WHERE person_hash = $1 AND kind = $2 ORDER BY created_at, id",
            [.bytes(person.hash.bytes), .text(OutboxTask.Kind.revocation.rawValue)]
        )
        // An unreadable entry must not prevent the user from signing in.
        .map { $0.compactMap(\.entry) }
    }
}
