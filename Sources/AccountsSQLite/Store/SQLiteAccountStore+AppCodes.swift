import Accounts
import AppleIdentity
import GRDB

extension SQLiteAccountStore {
    /// Keeps a code by which an app comes back.
    package func issueAppCode(_ issue: AppCodeIssue) async throws(AccountStoreError) -> Bool {
        try await writer.decide { database in
            let waiting = try database.row(
                "SELECT count(*) FROM app_codes WHERE account_id = ?",
                [issue.code.account.rawValue]
            )
            let facts = AppCodeFacts(
                confirmingSession: try database.session(named: issue.code.session),
                waitingCount: waiting?[0] ?? 0
            )
            return issue.decision(given: facts)
        }
    }

    /// Exchanges a code for a session.
    package func redeemAppCode(
        _ redemption: AppCodeRedemption
    ) async throws(AccountStoreError) -> AppCodeOutcome {
        try await writer.decide { database in
            let code = try database.appCode(redemption.hash)
            let sessions = try database.facts(
                of: redemption.opening,
                code?.account,
                mayBeDone: true
            )
            let account = code?.account ?? sessions.completedSession?.accountID
            let facts = AppCodeFacts(
                code: code,
                account: try account.flatMap { try database.account($0) },
                confirmingSession: try code.flatMap { try database.session(named: $0.session) },
                sessions: sessions,
                throttles: try database.throttles(redemption.throttles)
            )
            return redemption.decision(given: facts)
        }
    }
}

extension Database {
    fileprivate func appCode(_ hash: SecretHash) throws -> AppCode? {
        try row("SELECT \(AppCodeRow.columns) FROM app_codes WHERE hash = ?", [hash.bytes])
            .map(AppCodeRow.read)
    }
}
