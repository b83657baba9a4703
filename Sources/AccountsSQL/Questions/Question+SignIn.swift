import Accounts
import AppleIdentity
import Foundation

extension Question {
    /// The facts that decide a sign-in attempt.
    mutating func facts(of attempt: SignInAttempt) -> Fact<SignInFacts> {
        let person = attempt.person
        let found = ask(
            Self.signInFacts,
            [
                .bytes(attempt.tokenHash.bytes), .bytes(attempt.nonce?.hash.bytes),
                .bytes(person.hash.bytes), .text(person.issuer), .text(person.user.rawValue),
                .text(attempt.emailKey),
            ]
        ) { rows in
            guard let row = rows.first else {
                throw AccountStoreError(.failed, hint: "a query returned no row")
            }
            let account = try AccountRow.read(row, from: 7)
            var facts = SignInFacts.empty
            facts.isTokenUsed = try row.boolean(0)
            facts.isNonceUsed = try row.boolean(1)
            facts.consentEndedAt = try row.optionalDate(2)
            facts.account = account
            facts.pendingName = try AccountRow.name(row, 3, parts: 4)
            facts.emailOwner = try row.optionalText(6).map { AccountID(rawValue: $0) }
            return facts
        }
        let revocations = queuedRevocations(of: person)
        return Fact { answers in
            var facts = try answers[found]
            facts.queuedRevocations = try answers[revocations]
            return facts
        }
    }

    private static let signInFacts = """
        SELECT EXISTS (SELECT 1 FROM used_once WHERE hash = $1),
            EXISTS (SELECT 1 FROM used_once WHERE hash = $2),
            (SELECT max(consent_ended_at) FROM apple_events
                WHERE person_hash = $3 AND consent_ended_at IS NOT NULL),
            pending_names.name, pending_names.given_name, pending_names.family_name,
            (SELECT min(taken.id) FROM accounts AS taken
                WHERE taken.email_key = $6 AND taken.username IS NOT NULL
                    AND taken.email_is_verified),
            \(AccountRow.columns)
        FROM (SELECT 1 AS one) AS always
            LEFT JOIN apple_identities
                ON apple_identities.issuer = $4 AND apple_identities.subject = $5
            LEFT JOIN accounts ON accounts.id = apple_identities.account_id
            LEFT JOIN pending_names
                ON pending_names.issuer = $4 AND pending_names.subject = $5
        """

    /// The facts that decide the last step of a sign-in.
    mutating func facts(of completion: SignInCompletion) -> Fact<SignInFacts> {
        let attempt = completion.apple.attempt
        let signIn = facts(of: attempt)
        let sessions = facts(of: completion.opening, .person(attempt.person))
        return Fact { answers in
            var facts = try answers[signIn]
            facts.sessions = try answers[sessions]
            // A completion that was carried out has marked its token as used.
            if !facts.isTokenUsed { facts.sessions.completedSession = nil }
            return facts
        }
    }

    /// The facts that decide how an event from Apple is applied.
    mutating func facts(of event: AppleEvent) -> Fact<AppleEventFacts> {
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
        return Fact { answers in
            AppleEventFacts(
                isKnown: try answers[isKnown],
                account: try answers[account],
                queuedRevocations: try answers[revocations]
            )
        }
    }

    private mutating func queuedRevocations(of person: ApplePerson) -> Fact<[OutboxEntry]> {
        list(
            """
            SELECT \(OutboxRow.columns) FROM outbox WHERE person_hash = $1 AND kind = $2
            ORDER BY created_at, id
            """,
            [.bytes(person.hash.bytes), .text(OutboxTask.Kind.revocation.rawValue)]
        ) { row in
            // An unreadable entry must not prevent the user from signing in.
            try? OutboxRow.read(row)
        }
        .map { $0.compactMap(\.self) }
    }
}
