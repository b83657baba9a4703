import Accounts
import AppleIdentity
import Foundation

extension Question {
    /// What an attempt is decided by.
    ///
    /// - Parameters:
    ///   - attempt: the attempt.
    ///   - guessesNew: takes token and nonce for unused.
    /// - Returns: by what the answer is found.
    mutating func facts(of attempt: SignInAttempt, guessesNew: Bool = false) -> Fact<SignInFacts> {
        let person = attempt.person
        let found = ask(
            guessesNew ? Self.guessedSignInFacts : Self.signInFacts,
            [
                .bytes(attempt.tokenHash.bytes), .bytes(attempt.nonce?.hash.bytes),
                .bytes(person.hash.bytes), .text(person.issuer), .text(person.user.rawValue),
                .text(attempt.emailKey),
            ]
        ) { rows throws(AccountStoreError) in
            guard let row = rows.first else {
                throw AccountStoreError(.failed, hint: "a query gave no row")
            }
            let account = try AccountRow.read(row, from: 7)
            return SignInFacts(
                isTokenUsed: try row.boolean(0),
                isNonceUsed: try row.boolean(1),
                consentEndedAt: try row.optionalDate(2),
                account: account,
                pendingName: try AccountRow.name(row, 3, parts: 4),
                isEmailTaken: account == nil ? try row.boolean(6) : false
            )
        }
        let revocations = queuedRevocations(of: person)
        return Fact { answers throws(AccountStoreError) in
            var facts = try answers[found]
            facts.queuedRevocations = try answers[revocations]
            return facts
        }
    }

    private static let signInFacts = signInFacts(
        """
        EXISTS (SELECT 1 FROM used_once WHERE hash = $1),
            EXISTS (SELECT 1 FROM used_once WHERE hash = $2)
        """
    )

    private static let guessedSignInFacts = signInFacts("$1 IS NULL, $2 IS DISTINCT FROM $2")

    private static func signInFacts(_ uses: String) -> String {
        """
        SELECT \(uses),
            (SELECT max(consent_ended_at) FROM apple_events
                WHERE person_hash = $3 AND consent_ended_at IS NOT NULL),
            pending_names.name, pending_names.given_name, pending_names.family_name,
            EXISTS (SELECT 1 FROM accounts AS taken
                WHERE taken.email_key = $6 AND taken.username IS NOT NULL
                    AND taken.email_is_verified),
            \(AccountRow.columns)
        FROM (SELECT 1 AS one) AS always
            LEFT JOIN LATERAL
                (SELECT * FROM apple_identities WHERE issuer = $4 AND subject = $5 LIMIT 1)
                AS apple_identities ON true
            LEFT JOIN LATERAL
                (SELECT * FROM accounts WHERE id = apple_identities.account_id LIMIT 1)
                AS accounts ON true
            LEFT JOIN LATERAL
                (SELECT * FROM pending_names WHERE issuer = $4 AND subject = $5 LIMIT 1)
                AS pending_names ON true
        """
    }

    /// What the last step of a sign-in is decided by.
    ///
    /// - Parameters:
    ///   - completion: the step.
    ///   - guessesNew: takes token, nonce and session for new.
    /// - Returns: by what the answer is found.
    mutating func facts(
        of completion: SignInCompletion,
        guessesNew: Bool = false
    ) -> Fact<SignInFacts> {
        let attempt = completion.apple.attempt
        let signIn = facts(of: attempt, guessesNew: guessesNew)
        let sessions = facts(
            of: completion.opening,
            .person(attempt.person),
            guessesNew: guessesNew
        )
        return Fact { answers throws(AccountStoreError) in
            var facts = try answers[signIn]
            facts.sessions = try answers[sessions]
            // A completion that was carried out has used its token up.
            if !facts.isTokenUsed { facts.sessions.completedSession = nil }
            return facts
        }
    }

    /// What an event is decided by.
    mutating func facts(of event: AppleEvent) -> Fact<AppleEventFacts> {
        let isKnown = exists(
            """
            apple_events WHERE (notification_hash = $1 OR event_hash = $2) AND \(Self.isLater("remembered_until", than: "$3"))
            """,
            [
                .bytes(event.notificationHash.bytes), .bytes(event.eventHash.bytes),
                .integer(event.now.microseconds),
            ]
        )
        let account = account(.person(event.person))
        let revocations = queuedRevocations(of: event.person)
        return Fact { answers throws(AccountStoreError) in
            AppleEventFacts(
                isKnown: try answers[isKnown],
                account: try answers[account],
                queuedRevocations: try answers[revocations]
            )
        }
    }

    private mutating func queuedRevocations(of person: ApplePerson) -> Fact<[OutboxEntry]> {
        let entries = list(
            """
            SELECT \(OutboxRow.columns) FROM outbox WHERE person_hash = $1 AND kind = $2
            """,
            [.bytes(person.hash.bytes), .text(OutboxTask.Kind.revocation.rawValue)]
        ) { row throws(AccountStoreError) in
            // One that can't be read must not keep its person from signing in.
            try? OutboxRow.read(row)
        }
        return Fact { answers throws(AccountStoreError) in
            // Here, since a shared statement gives its rows in no order.
            try answers[entries].compactMap(\.self).sorted {
                ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue)
            }
        }
    }
}
