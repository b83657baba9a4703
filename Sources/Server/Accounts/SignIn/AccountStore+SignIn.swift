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
}
