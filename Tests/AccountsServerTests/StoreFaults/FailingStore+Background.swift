import Accounts
import AppleIdentity
import Foundation

// MARK: ValidationStore

extension FailingStore {
    func claimValidations(maximumCount: Int, now: Date, until: Date) async throws(Failure)
        -> [TokenValidation]
    {
        try await call(
            .claimValidations,
            try await store.claimValidations(maximumCount: maximumCount, now: now, until: until)
        )
    }

    func oldestDueValidation(now: Date) async throws(Failure) -> Date? {
        try await call(.oldestDueValidation, try await store.oldestDueValidation(now: now))
    }

    func postpone(_ validation: TokenValidation, until date: Date) async throws(Failure) {
        try await call(.postpone, try await store.postpone(validation, until: date))
    }

    func apply(_ end: TokenEnd) async throws(Failure) -> AccountID? {
        try await call(.applyTokenEnd, try await store.apply(end))
    }
}

// MARK: OutboxStore

extension FailingStore {
    func claimEntries(_ claim: OutboxClaim) async throws(Failure) -> [OutboxEntry] {
        try await call(.claimEntries, try await store.claimEntries(claim))
    }

    func finishEntry(_ entry: OutboxID, worker: String, result: OutboxResult)
        async throws(Failure)
    {
        try await call(
            .finishEntry,
            try await store.finishEntry(entry, worker: worker, result: result)
        )
    }

    func requeueRefusedEntries(_ kind: OutboxTask.Kind, now: Date) async throws(Failure) -> Int {
        try await call(
            .requeueRefusedEntries,
            try await store.requeueRefusedEntries(kind, now: now)
        )
    }

    func makeFailedEntriesDue(_ kind: OutboxTask.Kind, now: Date) async throws(Failure) -> Int {
        try await call(.makeFailedEntriesDue, try await store.makeFailedEntriesDue(kind, now: now))
    }

    func markRelayAddress(_ address: String, of account: AccountID, isRefused: Bool)
        async throws(Failure) -> Bool
    {
        try await call(
            .markRelayAddress,
            try await store.markRelayAddress(address, of: account, isRefused: isRefused)
        )
    }

    func outboxBacklog() async throws(Failure) -> OutboxBacklog {
        try await call(.outboxBacklog, try await store.outboxBacklog())
    }
}

// MARK: MaintenanceStore

extension FailingStore {
    func checkWriting(as sealingKeys: [String], now: Date) async throws(Failure) {
        try await call(.checkWriting, try await store.checkWriting(as: sealingKeys, now: now))
    }

    func clock() async throws(Failure) -> Date? {
        try await call(.clock, try await store.clock())
    }

    func forgetExpired(now: Date, maximumCount: Int) async throws(Failure) -> Int {
        try await call(
            .forgetExpired,
            try await store.forgetExpired(now: now, maximumCount: maximumCount)
        )
    }

    func wipeTraces() async throws(Failure) {
        try await call(.wipeTraces, try await store.wipeTraces())
    }
}

// MARK: AdministrationStore

extension FailingStore {
    func accounts(after: AccountID?, maximumCount: Int) async throws(Failure) -> [Account] {
        try await call(
            .accounts,
            try await store.accounts(after: after, maximumCount: maximumCount)
        )
    }

    func namedAccounts(_ text: String, maximumCount: Int) async throws(Failure) -> [Account] {
        try await call(
            .namedAccounts,
            try await store.namedAccounts(text, maximumCount: maximumCount)
        )
    }

    func sealedValues(after: ResealingPosition?, maximumCount: Int) async throws(Failure)
        -> [SealedValue]
    {
        try await call(
            .sealedValues,
            try await store.sealedValues(after: after, maximumCount: maximumCount)
        )
    }

    func sealingKeys(recordedSince limit: Date) async throws(Failure) -> [[String]] {
        try await call(.sealingKeys, try await store.sealingKeys(recordedSince: limit))
    }

    func reseal(_ batch: ResealingBatch) async throws(Failure) -> ResealingStep {
        try await call(.reseal, try await store.reseal(batch))
    }

    func backUp(_ order: BackupOrder) async throws(Failure) -> BackupReport {
        try await call(.backUp, try await store.backUp(order))
    }
}

// MARK: TransferStore

extension FailingStore {
    func transfer(_ step: AppleTransferStep) async throws(Failure) -> AppleTransferOutcome {
        try await call(.transfer, try await store.transfer(step))
    }

    func transferStates(after: AccountID?, maximumCount: Int) async throws(Failure)
        -> [AppleTransferState]
    {
        try await call(
            .transferStates,
            try await store.transferStates(after: after, maximumCount: maximumCount)
        )
    }

    func transferState(of account: AccountID) async throws(Failure) -> AppleTransferState? {
        try await call(.transferState, try await store.transferState(of: account))
    }
}

// MARK: AuditStore

extension FailingStore {
    func record(_ entries: [AuditEntry]) async throws(Failure) {
        try await call(.record, try await store.record(entries))
    }

    func auditEntries(_ query: AuditQuery) async throws(Failure) -> [AuditEntry] {
        try await call(.auditEntries, try await store.auditEntries(query))
    }

    func forgetAuditEntries(until limit: Date, maximumCount: Int) async throws(Failure) -> Int {
        try await call(
            .forgetAuditEntries,
            try await store.forgetAuditEntries(until: limit, maximumCount: maximumCount)
        )
    }
}

// MARK: TokenKeyStore

extension FailingStore {
    func tokenKeys() async throws(Failure) -> [TokenKey] {
        try await call(.tokenKeys, try await store.tokenKeys())
    }

    func rotateTokenKeys(_ rotation: TokenKeyRotation) async throws(Failure) -> TokenKeyOutcome {
        try await call(.rotateTokenKeys, try await store.rotateTokenKeys(rotation))
    }
}
