import AppleIdentity
import Foundation

extension AccountStore {
    /// Stores a code, by the rule of `AppCodeIssue`; returns false when the session that confirms has ended.
    package func issueAppCode(_ issue: AppCodeIssue) async throws(AccountStoreError) -> Bool {
        try await database.decide { query in
            let waiting = query.add(
                "SELECT count(*) FROM app_codes WHERE account_id = $1",
                [.text(issue.code.account.rawValue)]
            ) { try $0.first?.count(0) ?? 0 }
            let session = query.session(named: issue.code.session)
            return QueryResult { results in
                var facts = AppCodeFacts()
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

extension Query {
    /// The facts that decide the exchange of a code.
    fileprivate mutating func facts(of redemption: AppCodeRedemption) -> QueryResult<AppCodeFacts> {
        let key = AccountKey.appCode(
            redemption.hash,
            orSession: redemption.opening.newSession.id
        )
        let hash: [SQLValue] = [.bytes(redemption.hash.bytes)]
        let code = first(Tables.appCodes.selection, "WHERE hash = $1", hash)
        let account = account(key)
        let confirming = first(
            Selections.session,
            "WHERE id = (SELECT session_id FROM app_codes WHERE hash = $1)",
            hash
        )
        let sessions = facts(of: redemption.opening, key)
        let throttles = throttles(redemption.throttles)
        return QueryResult { results in
            var facts = AppCodeFacts()
            facts.code = try results[code]
            facts.account = try results[account]
            facts.confirmingSession = try results[confirming]
            facts.sessions = try results[sessions]
            facts.throttles = try results[throttles]
            return facts
        }
    }
}
