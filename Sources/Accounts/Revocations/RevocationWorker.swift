import AppleIdentity
import Foundation
import Logging
import ServiceLifecycle
import SignInWithApple

/// Revokes at Apple what the deletion of accounts left in the outbox.
///
/// Several workers, also in several processes, may share one store: an entry is claimed before it is
/// worked on. A worker that dies leaves its claims to run out; revoking twice does no harm.
///
/// Source: [Revoke tokens](https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens)
public struct RevocationWorker: Service {
    private let store: any AccountStore
    private let apple: AppleSignIn
    private let sealer: TokenSealer
    private let schedule: RevocationSchedule
    private let signal: Signal
    private let time: TimeSource
    private let logger: Logger
    private let name = SecureRandom.hexadecimal(byteCount: 8)

    /// Makes a worker.
    ///
    /// - Parameters:
    ///   - store: where the outbox is.
    ///   - apple: who revokes.
    ///   - sealer: opens the tokens.
    ///   - schedule: when to try, and again.
    ///   - signal: rung when there is something new; give the service the same one.
    ///   - time: the clock.
    ///   - logger: told of each attempt, never of a token.
    public init(
        store: any AccountStore,
        apple: AppleSignIn,
        sealer: TokenSealer,
        schedule: RevocationSchedule = RevocationSchedule(),
        signal: Signal = Signal(),
        time: TimeSource = .live,
        logger: Logger
    ) {
        self.store = store
        self.apple = apple
        self.sealer = sealer
        self.schedule = schedule
        self.signal = signal
        self.time = time
        self.logger = logger
    }

    /// Works on the outbox until the service shuts down; an attempt under way is finished.
    public func run() async throws {
        var requeuesAt = time.now
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            if time.now >= requeuesAt, await requeueRefused() {
                requeuesAt = time.now.addingTimeInterval(schedule.refusedInterval)
            }
            await drain()
            do {
                try await cancelWhenGracefulShutdown { try await pause() }
            } catch {
                return
            }
        }
    }

    /// Makes one attempt for every entry that is due.
    ///
    /// Once Apple has taken one, those that wait because it was away need not wait longer.
    ///
    /// - Returns: how many attempts were made.
    @discardableResult
    public func drain() async -> Int {
        let (attemptCount, revokedCount) = await attemptDue()
        guard revokedCount > 0, await makeFailedDue() else { return attemptCount }
        return await attemptCount + attemptDue().attemptCount
    }

    /// Waits for the next look at the outbox, or for the signal.
    private func pause() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await time.sleep(for: .seconds(schedule.pollInterval)) }
            group.addTask { await signal.wait() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func attemptDue() async -> (attemptCount: Int, revokedCount: Int) {
        var attemptCount = 0
        var revokedCount = 0
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let batch = await claim()
            if batch.isEmpty { break }
            revokedCount += await withTaskGroup { group in
                for revocation in batch {
                    group.addTask { await attempt(revocation) }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            attemptCount += batch.count
        }
        return (attemptCount, revokedCount)
    }

    /// Says whether there was anything to pull forward.
    private func makeFailedDue() async -> Bool {
        do {
            return try await store.makeFailedRevocationsDue(now: time.now) > 0
        } catch {
            logger.error("can't reach the outbox", metadata: ["hint": "\(error.hint)"])
            return false
        }
    }

    /// What Apple refused may have been a mistake in the configuration, fixed since, here or there.
    ///
    /// Says whether the outbox could be asked.
    private func requeueRefused() async -> Bool {
        do {
            let count = try await store.requeueRefusedRevocations(now: time.now)
            guard count > 0 else { return true }
            logger.warning(
                "trying revocations again that were refused",
                metadata: ["count": "\(count)"]
            )
            return true
        } catch {
            logger.error("can't reach the outbox", metadata: ["hint": "\(error.hint)"])
            return false
        }
    }

    private func claim() async -> [Revocation] {
        let now = time.now
        let claim = RevocationClaim(
            worker: name,
            maximumCount: schedule.maximumBatchCount,
            now: now,
            until: now.addingTimeInterval(schedule.claimDuration)
        )
        do {
            return try await store.claimRevocations(claim)
        } catch {
            logger.error("can't reach the outbox", metadata: ["hint": "\(error.hint)"])
            return []
        }
    }

    /// Says whether Apple has revoked the token.
    private func attempt(_ revocation: Revocation) async -> Bool {
        let result = await revoke(revocation)
        // A cancelled attempt says nothing about Apple; the claim runs out and another one is made.
        guard !Task.isCancelled || result == .revoked else { return false }
        report(result, of: revocation)
        do {
            try await store.finishRevocation(revocation.id, worker: name, result: result)
        } catch {
            logger.error("can't finish a revocation", metadata: ["hint": "\(error.hint)"])
        }
        return result == .revoked
    }

    private func revoke(_ revocation: Revocation) async -> RevocationResult {
        let token: String
        do {
            let context = SealingContext.refreshToken(
                of: revocation.accountID,
                clientID: revocation.clientID.rawValue
            )
            token = String(
                decoding: try sealer.open(revocation.sealedToken, for: context),
                as: UTF8.self
            )
        } catch {
            return .refused(code: error.code.rawValue)
        }
        do {
            try await apple.revoke(token, clientID: revocation.clientID, hint: .refreshToken)
            return .revoked
        } catch {
            // Anything else is a cancelled attempt, which is not written down.
            let error = error as? SignInError ?? SignInError(.appleUnavailable, hint: "cancelled")
            guard error.isRetryable else { return .refused(code: error.code.rawValue) }
            let delay = schedule.delay(afterAttempts: revocation.attemptCount + 1)
            let next = time.now.addingTimeInterval(delay)
            return .failed(code: error.code.rawValue, nextAttemptAt: next)
        }
    }

    private func report(_ result: RevocationResult, of revocation: Revocation) {
        var metadata: Logger.Metadata = [
            "revocation": "\(revocation.id)", "client": "\(revocation.clientID)",
            "attempt": "\(revocation.attemptCount + 1)",
        ]
        switch result {
        case .revoked:
            logger.notice("revoked at Apple", metadata: metadata)
        case .failed(let code, let next):
            metadata["code"] = "\(code)"
            metadata["next"] = "\(next)"
            logger.warning("revoking failed and will be tried again", metadata: metadata)
        case .refused(let code):
            metadata["code"] = "\(code)"
            logger.error("revoking was refused; the entry stays in the outbox", metadata: metadata)
        }
    }
}
