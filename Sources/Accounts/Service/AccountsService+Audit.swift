import AppleIdentity
import Foundation
import Logging

/// The audit log: who did what.
extension AccountsService {
    /// How many entries one step of a check looks at, so that nobody waits for long behind it.
    private static let checkBatchCount = 1000

    /// Lists entries.
    ///
    /// - Parameter query: which entries.
    /// - Returns: the entries.
    /// - Throws: `store_unavailable`.
    public func auditEntries(_ query: AuditQuery) async throws(AccountsError) -> [AuditRecord] {
        try await asking { () async throws(AccountStoreError) in
            try await store.auditEntries(query)
        }
    }

    /// Checks some of the chain.
    ///
    /// - Parameters:
    ///   - position: where to go on; nil for the beginning.
    ///   - expected: the end of the chain as it was written down elsewhere, to be looked for.
    /// - Returns: what was found, and where to go on.
    /// - Throws: `store_unavailable`; `internal_error` in a process without the keys.
    public func checkAudit(
        after position: AuditPosition?,
        expecting expected: AuditPosition?
    ) async throws(AccountsError) -> AuditCheckStep {
        guard let auditKeys else { throw Self.auditKeysMissing }
        let check = AuditCheck(
            keys: auditKeys,
            after: position,
            expected: expected,
            maximumCount: Self.checkBatchCount
        )
        let part = try await asking { () async throws(AccountStoreError) in
            try await store.auditPart(
                after: position?.number,
                maximumCount: check.maximumCount,
                asked: expected?.number
            )
        }
        return check.step(given: part)
    }

    /// Has the chain begin anew behind what is there, after somebody has looked at what was altered.
    ///
    /// - Parameter administrator: who asks.
    /// - Throws: `store_unavailable`; `internal_error` in a process without the keys.
    public func restartAudit(by administrator: String) async throws(AccountsError) {
        guard let auditSealer else { throw Self.auditKeysMissing }
        try await recordAdministration(.auditRestarted, by: administrator)
        try await asking { () async throws(AccountStoreError) in
            try await auditSealer.seal(restarts: true)
        }
        logger.notice("audit log begun anew", metadata: ["administrator": "\(administrator)"])
    }

    /// Makes entries that wait part of the chain at once; nothing in a process without the keys.
    ///
    /// - Throws: `store_unavailable`.
    package func sealAudit() async throws(AccountsError) {
        guard let auditSealer else { return }
        try await asking { () async throws(AccountStoreError) in try await auditSealer.seal() }
        auditSealer.logHead(isLast: true)
    }

    /// Writes down what an administrator did or tried, when no change of an account goes with it.
    ///
    /// - Parameters:
    ///   - action: what was done.
    ///   - account: to which account.
    ///   - administrator: who did it.
    ///   - detail: one more word.
    /// - Throws: `store_unavailable`.
    package func recordAdministration(
        _ action: AuditAction,
        of account: AccountID? = nil,
        by administrator: String,
        detail: String? = nil
    ) async throws(AccountsError) {
        let context = auditContext(administrator: administrator, now: now)
        try await record([context.entry(action, of: account, detail: detail)])
    }

    private static let auditKeysMissing = AccountsError(
        .internalError,
        hint: "the audit log needs the server's SIWA_SEALING_KEYS"
    )
}

extension AccountsService {
    /// Who asks, for the entry about what becomes of it.
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
            now: now,
            keys: auditKeys
        )
    }

    func auditContext(administrator: String, now: Date) -> AuditContext {
        AuditContext(
            actor: .administrator,
            administrator: administrator,
            now: now,
            keys: auditKeys
        )
    }

    /// Apple, which asks from no address that would tell anything.
    func auditContext(apple detail: String, now: Date) -> AuditContext {
        AuditContext(actor: .apple, detail: detail, now: now, keys: auditKeys)
    }

    /// Writes down a refused sign-in; one that can't be written is refused all the same, and the log says so.
    func recordRefusal(
        _ code: AccountsError.Code,
        of account: AccountID? = nil,
        _ client: ClientDescription
    ) async {
        guard let skippedCount = auditBudget.admitRefusal(now: time.uptime) else { return }
        let now = now
        let context = auditContext(client, actor: .stranger, detail: code.rawValue, now: now)
        var entries = [context.entry(.signInRefused, of: account)]
        if skippedCount > 0 { entries.append(.skipped(skippedCount, now: now, keys: auditKeys)) }
        let refusals = entries
        do throws(AccountsError) {
            try await record(refusals)
        } catch {
            auditBudget.takeBackRefusals(skippedCount + 1)
        }
    }

    /// Writes down an export, once a minute for each account.
    func recordExport(
        askedBy session: Session,
        _ client: ClientDescription
    ) async throws(AccountsError) {
        let account = session.accountID
        guard await auditBudget.admitsExport(of: account, now: time.uptime) else { return }
        let entry = auditContext(client, now: now).entry(.export, of: account, session: session.id)
        do throws(AccountsError) {
            try await record([entry])
            auditBudget.settleExport(of: account, writtenAt: time.uptime)
        } catch {
            // Nothing was given to the person: whoever asks again is written down.
            auditBudget.settleExport(of: account, writtenAt: nil)
            throw error
        }
    }

    func record(_ entries: [AuditEntry]) async throws(AccountsError) {
        try await asking { () async throws(AccountStoreError) in try await store.record(entries) }
    }
}
