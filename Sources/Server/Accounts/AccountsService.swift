import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import SignInWithApple

/// Accounts and their sessions: sign-in, session checks, sign-out, changes and deletion.
///
/// Create one at start and share it. All state that other replicas need is in the store.
package final class AccountsService: Sendable {
    package let configuration: AccountsConfiguration

    let store: AccountStore
    let sealer: TokenSealer
    let nonces: ServerNonces
    let webSessionTokens: WebSessionTokens
    let throttleKeys: ThrottleKeys
    let hasher: PasswordHasher
    let uses: SessionUseBuffer
    let readiness: StoreReadiness
    let auditBudget = AuditBudget()
    let tokenKeyCache = TokenKeyCache()
    let time: TimeSource
    let logger: Logger
    let outboxSignal: Signal?
    let maintenanceSignal: Signal?
    /// Returns when the client of the current request has closed the connection.
    let departure: (@Sendable () async -> Void)?
    let measures: AccountsMeasures

    package init(
        store: AccountStore,
        sealer: TokenSealer,
        configuration: AccountsConfiguration = AccountsConfiguration(),
        uses: SessionUseBuffer = SessionUseBuffer(),
        readiness: StoreReadiness = StoreReadiness(),
        time: TimeSource = .live,
        logger: Logger,
        outboxSignal: Signal? = nil,
        maintenanceSignal: Signal? = nil,
        hasher: PasswordHasher? = nil,
        departure: (@Sendable () async -> Void)? = nil,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.store = store
        self.sealer = sealer
        nonces = ServerNonces(sealer)
        webSessionTokens = WebSessionTokens(sealer)
        throttleKeys = ThrottleKeys(sealer)
        self.hasher = hasher ?? PasswordHasher(cost: configuration.passwordCost)
        self.configuration = configuration
        self.uses = uses
        self.readiness = readiness
        self.time = time
        self.logger = logger
        self.outboxSignal = outboxSignal
        self.maintenanceSignal = maintenanceSignal
        self.departure = departure
        measures = AccountsMeasures(metrics)
    }

    /// Throws `store_unavailable` when the store was not writable at the latest check; the first call checks it.
    package func checkReadiness() async throws(AccountsError) {
        if readiness.isUntried { await maintenance().tryWriting() }
        if let failure = readiness.failure {
            throw AccountsError(.storeUnavailable, hint: failure.hint)
        }
    }

    /// Whether the store was writable at the latest check; nil before the first check.
    package var isStoreWritable: Bool? {
        readiness.isUntried ? nil : readiness.failure == nil
    }

    /// The load of the store.
    package var storeLoad: StoreLoad { store.load }

    /// Issues a nonce for one native sign-in and returns it with its expiry time; nothing is stored.
    package func makeNonce() -> (nonce: String, expiresAt: Date) {
        let expiresAt = now.addingTimeInterval(configuration.nonceLifetime)
        return (nonces.make(expiresAt: expiresAt), expiresAt)
    }

    /// The time in whole microseconds, as every store keeps it.
    var now: Date { time.now.inWholeMicroseconds }

    /// Calls the store; when a commit's result was lost, repeats the call, which has the same effect.
    func callStore<Answer>(
        _ call: @autoclosure () async throws(AccountStoreError) -> Answer
    ) async throws(AccountsError) -> Answer {
        do {
            do {
                return try await call()
            } catch  where error.kind == .outcomeUnknown {
                return try await call()
            }
        } catch {
            throw noted(error)
        }
    }

    /// Counts and logs a failed store operation.
    func noted(_ failure: AccountStoreError) -> AccountsError {
        measures.count(failure)
        let error = AccountsError(failure)
        logger.error(
            "a store operation failed",
            metadata: ["code": "\(error.code)", "hint": "\(error.hint)"]
        )
        return error
    }
}
