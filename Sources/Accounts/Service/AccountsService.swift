import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import SignInWithApple

/// People and their sessions: sign in, stay signed in, sign out, delete.
///
/// Make one at start and share it. It keeps nothing that other replicas would have to know: all of that
/// is in the store.
package final class AccountsService: Sendable {
    /// The rules it is run by.
    package let configuration: AccountsConfiguration

    let store: any AccountStore
    let sealer: TokenSealer
    let nonces: ServerNonces
    let webSessionTokens: WebSessionTokens
    let throttleKeys: ThrottleKeys
    let hasher: PasswordHasher
    let uses: SessionUseBuffer
    let readiness: StoreReadiness
    let auditBudget = AuditBudget()
    let time: TimeSource
    let logger: Logger
    let outboxSignal: Signal?
    let maintenanceSignal: Signal?
    let measures: AccountsMeasures
    let spans: Spans

    package init(
        store: any AccountStore,
        sealer: TokenSealer,
        configuration: AccountsConfiguration = AccountsConfiguration(),
        uses: SessionUseBuffer = SessionUseBuffer(),
        readiness: StoreReadiness = StoreReadiness(),
        time: TimeSource = .live,
        logger: Logger,
        outboxSignal: Signal? = nil,
        maintenanceSignal: Signal? = nil,
        metrics: any MetricsFactory = MetricsSystem.factory,
        spans: Spans = Spans(nil)
    ) {
        self.store = store
        self.sealer = sealer
        nonces = ServerNonces(sealer)
        webSessionTokens = WebSessionTokens(sealer)
        throttleKeys = ThrottleKeys(sealer)
        hasher = PasswordHasher(cost: configuration.passwordCost)
        self.configuration = configuration
        self.uses = uses
        self.readiness = readiness
        self.time = time
        self.logger = logger
        self.outboxSignal = outboxSignal
        self.maintenanceSignal = maintenanceSignal
        measures = AccountsMeasures(metrics)
        self.spans = spans
    }

    /// Tells whether the store could be written to when the maintenance last tried; the first to ask tries.
    package func checkReadiness() async throws(AccountsError) {
        if readiness.isUntried { await maintenance().tryWriting() }
        if let failure = readiness.failure {
            throw AccountsError(.storeUnavailable, hint: failure.hint)
        }
    }

    /// Whether the store could be written to when that was last tried; nil before the first time.
    package var isStoreWritable: Bool? {
        readiness.isUntried ? nil : readiness.failure == nil
    }

    /// How busy the store is.
    package var storeLoad: StoreLoad { store.load }

    /// Gives out a nonce for one native sign-in; nothing is stored; returns the nonce, and until when it may be used.
    package func makeNonce() -> (nonce: String, expiresAt: Date) {
        let expiresAt = now.addingTimeInterval(configuration.nonceLifetime)
        return (nonces.make(expiresAt: expiresAt), expiresAt)
    }

    /// The time as every store keeps it.
    var now: Date { time.now.inWholeMicroseconds }

    /// Asks the store; when a commit's answer was lost, asks again, which is the same question.
    func asking<Answer>(
        _ question: @autoclosure () async throws(AccountStoreError) -> Answer,
        _ asker: String = #function
    ) async throws(AccountsError) -> Answer {
        do {
            do {
                return try await asked(asker, question)
            } catch  where error.kind == .outcomeUnknown {
                return try await asked(asker, question)
            }
        } catch {
            throw noted(error)
        }
    }

    /// Counts and logs that the store failed.
    func noted(_ failure: AccountStoreError) -> AccountsError {
        measures.count(failure)
        let error = AccountsError(failure)
        logger.error(
            "a store operation failed",
            metadata: ["code": "\(error.code)", "hint": "\(error.hint)"]
        )
        return error
    }

    private func asked<Answer>(
        _ asker: String,
        _ question: () async throws(AccountStoreError) -> Answer
    ) async throws(AccountStoreError) -> Answer {
        let name = "store \(asker.prefix { $0 != "(" })"
        return try await spans.within(name, question)
    }
}
