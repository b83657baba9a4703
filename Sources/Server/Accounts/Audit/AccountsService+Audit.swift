import AppleIdentity
import Foundation

/// Reading the audit log, and recording what administrators do.
extension AccountsService {
    /// The number of entries in one read of the store; small, because other calls wait for it.
    private static let auditBatchCount = 500

    /// Returns entries of the audit log.
    package func auditEntries(_ query: AuditQuery) async throws(AccountsError) -> [AuditEntry] {
        var found: [AuditEntry] = []
        var batchQuery = query
        batchQuery.count = max(query.count, Self.auditBatchCount)
        var isEnd = false
        while !isEnd && found.count < query.count {
            guard !Task.isCancelled else {
                throw AccountsError(.storeUnavailable, hint: "the request was cancelled")
            }
            let position = batchQuery
            let batch = try await callStore(await store.auditEntries(position))
            found += batch.filter(query.matches).prefix(query.count - found.count)
            isEnd = batch.count < position.count
            if let last = batch.last { batchQuery = position.continued(after: last.id) }
        }
        return found
    }

    /// Records an administrator's action that comes without a change of an account.
    package func recordAdministration(
        _ action: AuditAction,
        of account: AccountID? = nil,
        by administrator: String,
        detail: String? = nil
    ) async throws(AccountsError) {
        let context = auditContext(administrator: administrator, now: now)
        try await record([context.entry(action, of: account, detail: detail)])
    }
}

extension AccountsService {
    /// Creates the audit context of a client's request.
    func auditContext(
        _ client: ClientDescription,
        actor: AuditActor = .person,
        clientID: ClientID? = nil,
        detail: String? = nil,
        now: Date
    ) -> AuditContext {
        let program = client.program.isEmpty ? nil : client.program
        return AuditContext(
            actor: actor,
            address: client.peer.isEmpty ? nil : client.peer,
            client: clientID?.rawValue ?? program,
            detail: detail,
            now: now
        )
    }

    func auditContext(administrator: String, now: Date) -> AuditContext {
        AuditContext(actor: .administrator, administrator: administrator, now: now)
    }

    /// Creates the audit context of an event at Apple, without an IP address, which would mean nothing.
    func auditContext(apple detail: String, now: Date) -> AuditContext {
        AuditContext(actor: .apple, detail: detail, now: now)
    }

    /// Records a refused sign-in; when that fails, the failure is logged and the sign-in is refused anyway.
    func recordRefusal(
        _ code: AccountsError.Code,
        of account: AccountID? = nil,
        _ client: ClientDescription
    ) async { await recordRefusal(.signInRefused, detail: code.rawValue, of: account, client) }

    /// Records a refusal, unless there were too many; a failure is only logged.
    package func recordRefusal(
        _ action: AuditAction,
        detail: String?,
        of account: AccountID? = nil,
        _ client: ClientDescription
    ) async {
        let namesAccount = account != nil
        guard
            let skippedCount = auditBudget.admitRefusal(
                namesAccount: namesAccount,
                now: time.uptime
            )
        else { return }
        let now = now
        let context = auditContext(client, actor: .stranger, detail: detail, now: now)
        var entries = [context.entry(action, of: account)]
        if skippedCount > 0 { entries.append(.skipped(skippedCount, now: now)) }
        let refusals = entries
        do throws(AccountsError) {
            try await record(refusals)
        } catch {
            auditBudget.takeBackRefusals(skippedCount + 1)
        }
    }

    /// Records an export, at most once per minute for each account.
    func recordExport(
        requestedBy session: Session,
        _ client: ClientDescription
    ) async throws(AccountsError) {
        let account = session.accountID
        guard await auditBudget.admitsExport(of: account, now: time.uptime) else { return }
        let entry = auditContext(client, now: now).entry(.export, of: account, session: session.id)
        do throws(AccountsError) {
            try await record([entry])
            auditBudget.settleExport(of: account, writtenAt: time.uptime)
        } catch {
            // The user got no data: the next export is recorded.
            auditBudget.settleExport(of: account, writtenAt: nil)
            throw error
        }
    }

    func record(_ entries: [AuditEntry]) async throws(AccountsError) {
        try await callStore(await store.record(entries))
    }
}
