import AppleIdentity
import Logging

/// Operations for administrators; the caller authorizes them.
extension AccountsService {
    /// The number of accounts in one read of the store; small, because other calls wait for it.
    private static let listingBatchCount = 500
    /// The number of secrets that one transaction reseals.
    private static let resealingBatchCount = 200

    /// Searches for accounts and returns one page.
    package func accounts(_ query: AccountQuery) async throws(AccountsError) -> AccountListing {
        var found: [Account] = []
        var after = query.after
        repeat {
            guard !Task.isCancelled else {
                throw AccountsError(.storeUnavailable, hint: "the request was cancelled")
            }
            let position = after
            let batch = try await callStore(
                await store.accounts(
                    after: position,
                    since: query.since,
                    maximumCount: Self.listingBatchCount
                )
            )
            found += batch.filter { query.matches($0) }.prefix(query.count + 1 - found.count)
            after =
                batch.count < Self.listingBatchCount
                ? nil : batch.last.map(AccountPosition.init(of:))
        } while after != nil && found.count <= query.count
        let accounts = Array(found.prefix(query.count))
        return AccountListing(
            accounts: accounts,
            next: found.count > query.count ? accounts.last.map(AccountPosition.init(of:)) : nil
        )
    }

    /// Finds the accounts that a text names; without one, those whose name begins with it.
    package func accounts(named text: String) async throws(AccountsError) -> NamedAccounts {
        let count = NamedAccounts.maximumCount
        let exact = try await callStore(await store.namedAccounts(text, maximumCount: count))
        guard exact.isEmpty else {
            let username = try? Username(text).text
            let isUsername = exact.count == 1 && username != nil && exact[0].username == username
            return NamedAccounts(accounts: exact, match: isUsername ? .username : .exact)
        }
        let query = AccountQuery(text: text, count: count, isNameStart: true)
        return NamedAccounts(accounts: try await accounts(query).accounts, match: .nameStart)
    }

    /// Returns an account and its sessions, or nil when there is no such account.
    package func overview(of id: AccountID) async throws(AccountsError) -> AccountOverview? {
        let account = try await callStore(await store.account(id))
        guard let account else { return nil }
        let sessions = try await callStore(await store.sessions(of: id, now: now))
        return AccountOverview(account: account, sessions: sessions)
    }

    /// Ends a session of an account and returns whether it existed.
    package func endSession(
        _ id: SessionID,
        of account: AccountID,
        by administrator: String
    ) async throws(AccountsError) -> Bool {
        let now = now
        let audit = auditContext(administrator: administrator, now: now)
        let isEnded = try await callStore(
            await store.endSession(id, of: account, audit: audit, now: now)
        )
        if isEnded {
            log("session ended", account, by: administrator, ["ended": "\(id)"])
        }
        return isEnded
    }

    /// Ends all sessions of an account and returns their number.
    package func endSessions(
        of account: AccountID,
        by administrator: String
    ) async throws(AccountsError) -> Int {
        let now = now
        let audit = auditContext(administrator: administrator, now: now)
        let count = try await callStore(
            await store.endSessions(of: account, except: nil, audit: audit, now: now)
        )
        log("all sessions ended", account, by: administrator, ["count": "\(count)"])
        return count
    }

    /// Deletes an account as its user would, without a recent sign-in: ends its sessions and queues the revocations
    /// at Apple and the last mail, in English; returns nil when there is no such account.
    package func deleteAccount(
        _ id: AccountID,
        by administrator: String
    ) async throws(AccountsError) -> AdministratorDeletion? {
        let account = try await callStore(await store.account(id))
        guard let account else { return nil }
        let now = now
        let deletion = AccountDeletion(
            account: id,
            entryID: .random(),
            mail: try lastMail(.accountDeleted, to: account, ClientDescription(), now: now),
            audit: auditContext(administrator: administrator, now: now),
            now: now
        )
        let count = try await callStore(await store.deleteAccount(deletion)).get()
        log("account deleted", id, by: administrator, ["revocations": "\(count)"])
        outboxSignal?.send()
        maintenanceSignal?.send()
        return AdministratorDeletion(
            revocationCount: count,
            lastMail: deletion.mail != nil ? .queued : hasMail ? .noAddress : .unavailable
        )
    }

    /// Encrypts a batch of secrets again with the first key, removes those of abandoned keys, and returns its result.
    package func reseal(
        after position: ResealingPosition?,
        abandoning abandonedKeys: Set<String> = [],
        by administrator: String
    ) async throws(AccountsError) -> ResealingStep {
        if position == nil {
            let names = abandonedKeys.sorted().joined(separator: " ")
            let detail = names.isEmpty ? nil : "abandoned \(names)"
            try await recordAdministration(.secretsResealed, by: administrator, detail: detail)
        }
        let batch = ResealingBatch(
            sealer: sealer,
            after: position,
            maximumCount: Self.resealingBatchCount,
            abandonedKeys: abandonedKeys
        )
        let step = try await callStore(await store.reseal(batch))
        if step.next == nil { maintenanceSignal?.send() }
        return step
    }

    /// Backs up the store to a file; throws `internal_error` with a hint when the file cannot be written.
    package func backUp(
        _ order: BackupOrder,
        by administrator: String
    ) async throws(AccountsError) -> BackupReport {
        try await recordAdministration(.databaseCopied, by: administrator)
        let report = try await callStore(await store.backUp(order))
        logger.notice(
            "database copied",
            metadata: ["administrator": "\(administrator)", "bytes": "\(report.byteCount)"]
        )
        return report
    }

    private func log(
        _ message: Logger.Message,
        _ account: AccountID,
        by administrator: String,
        _ details: Logger.Metadata
    ) {
        var metadata = details
        metadata["account"] = "\(account)"
        metadata["administrator"] = "\(administrator)"
        logger.notice(message, metadata: metadata)
    }
}
