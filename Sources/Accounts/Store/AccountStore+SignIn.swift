import AppleIdentity
import Foundation

extension AccountStore {
    /// Stores the name before the code is exchanged, and returns why the sign-in cannot succeed, or nil.
    ///
    /// Only a sign-in with a name writes to the database.
    package func beginSignIn(
        _ check: SignInCheck
    ) async throws(AccountStoreError) -> AccountsError? {
        guard check.name != nil else {
            return try await database.read {
                $0.facts(of: check).map { check.decision(given: $0).answer }
            }
        }
        return try await database.decide { $0.facts(of: check).map(check.decision(given:)) }
    }

    /// Completes a sign-in, by the rule of `SignInCommit`; returns the session or the refusal.
    package func completeSignIn(
        _ commit: SignInCommit
    ) async throws(AccountStoreError) -> SignInOutcome {
        try await database.decide { $0.facts(of: commit).map(commit.decision(given:)) }
    }

    /// Processes an event at Apple once, by the rule of `AppleEvent`.
    package func apply(_ event: AppleEvent) async throws(AccountStoreError) -> AppleEventOutcome {
        try await database.decide { $0.facts(of: event).map(event.decision(given:)) }
    }

    /// Stores a code, by the rule of `AppCodeIssue`; returns false when the session that confirms has ended.
    package func issueAppCode(_ issue: AppCodeIssue) async throws(AccountStoreError) -> Bool {
        try await database.decide { query in
            let waiting = query.add(
                "SELECT count(*) FROM app_codes WHERE account_id = $1",
                [.text(issue.code.account.rawValue)]
            ) { try $0.first?.count(0) ?? 0 }
            let session = query.session(named: issue.code.session)
            return QueryResult { results in
                var facts = AppCodeFacts.empty
                facts.confirmingSession = try results[session]
                facts.waitingCount = try results[waiting]
                return issue.decision(given: facts)
            }
        }
    }

    /// Exchanges a code for a session, once, by the rule of `AppCodeRedemption`; returns the session or the refusal.
    package func redeemAppCode(
        _ redemption: AppCodeRedemption
    ) async throws(AccountStoreError) -> SignInOutcome {
        try await database.decide { $0.facts(of: redemption).map(redemption.decision(given:)) }
    }
}
