import Accounts
import AppleIdentity
import Foundation

extension PostgreSQLAccountStore {
    /// Begins a sign-in; without a name there is nothing to write.
    package func beginSignIn(
        _ attempt: SignInAttempt
    ) async throws(AccountStoreError) -> SignInRefusal? {
        guard attempt.name != nil else {
            let facts = try await database.read { $0.facts(of: attempt) }
            return attempt.decision(given: facts).answer
        }
        return try await database.decide { question in
            let facts = question.facts(of: attempt)
            return { answers throws(AccountStoreError) in
                attempt.decision(given: try answers[facts])
            }
        }
    }

    /// Completes a sign-in, together with others that complete at the same time.
    package func completeSignIn(
        _ completion: SignInCompletion
    ) async throws(AccountStoreError) -> SignInOutcome {
        if let outcome = try await signIns.complete(completion) { return outcome }
        return try await database.decide { question in
            let facts = question.facts(of: completion)
            return { answers throws(AccountStoreError) in
                completion.decision(given: try answers[facts])
            }
        }
    }

    /// Acts on what happened to a person at Apple.
    package func apply(_ event: AppleEvent) async throws(AccountStoreError) -> AppleEventOutcome {
        try await database.decide { question in
            let facts = question.facts(of: event)
            return { answers throws(AccountStoreError) in
                event.decision(given: try answers[facts])
            }
        }
    }
}

extension PostgreSQLAccountStore {
    /// Keeps a code by which an app comes back.
    package func issueAppCode(_ issue: AppCodeIssue) async throws(AccountStoreError) -> Bool {
        try await database.decide { question in
            let waiting = question.ask(
                "SELECT count(*) FROM app_codes WHERE account_id = $1",
                [.text(issue.code.account.rawValue)]
            ) { rows throws(AccountStoreError) in try rows.first?.count(0) ?? 0 }
            let session = question.session(named: issue.code.session)
            return { answers throws(AccountStoreError) in
                let facts = AppCodeFacts(
                    confirmingSession: try answers[session],
                    waitingCount: try answers[waiting]
                )
                return issue.decision(given: facts)
            }
        }
    }

    /// Exchanges a code for a session.
    package func redeemAppCode(
        _ redemption: AppCodeRedemption
    ) async throws(AccountStoreError) -> AppCodeOutcome {
        try await database.decide { question in
            let facts = question.facts(of: redemption)
            return { answers throws(AccountStoreError) in
                redemption.decision(given: try answers[facts])
            }
        }
    }
}
