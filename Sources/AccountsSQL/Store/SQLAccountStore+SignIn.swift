import Accounts
import AppleIdentity
import Foundation

extension SQLAccountStore {
    /// Begins a sign-in; only a sign-in with a name writes to the database.
    package func beginSignIn(
        _ attempt: SignInAttempt
    ) async throws(AccountStoreError) -> SignInRefusal? {
        guard attempt.name != nil else {
            return try await database.read {
                $0.facts(of: attempt).map { attempt.decision(given: $0).answer }
            }
        }
        return try await database.decide {
            $0.facts(of: attempt).map(attempt.decision(given:))
        }
    }

    package func completeSignIn(
        _ completion: SignInCompletion
    ) async throws(AccountStoreError) -> SignInOutcome {
        try await database.decide { $0.facts(of: completion).map(completion.decision(given:)) }
    }

    package func apply(_ event: AppleEvent) async throws(AccountStoreError) -> AppleEventOutcome {
        try await database.decide { $0.facts(of: event).map(event.decision(given:)) }
    }

    package func issueAppCode(_ issue: AppCodeIssue) async throws(AccountStoreError) -> Bool {
        try await database.decide { question in
            let waiting = question.ask(
                "SELECT count(*) FROM app_codes WHERE account_id = $1",
                [.text(issue.code.account.rawValue)]
            ) { try $0.first?.count(0) ?? 0 }
            let session = question.session(named: issue.code.session)
            return Fact { answers in
                var facts = AppCodeFacts.empty
                facts.confirmingSession = try answers[session]
                facts.waitingCount = try answers[waiting]
                return issue.decision(given: facts)
            }
        }
    }

    package func redeemAppCode(
        _ redemption: AppCodeRedemption
    ) async throws(AccountStoreError) -> AppCodeOutcome {
        try await database.decide { $0.facts(of: redemption).map(redemption.decision(given:)) }
    }
}
