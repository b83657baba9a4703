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
    ///   - time: the clock.
    ///   - logger: told of each attempt, never of a token.
    public init(
        store: any AccountStore,
        apple: AppleSignIn,
        sealer: TokenSealer,
        schedule: RevocationSchedule = RevocationSchedule(),
        time: TimeSource = .live,
        logger: Logger
    ) {
        self.store = store
        self.apple = apple
        self.sealer = sealer
        self.schedule = schedule
        self.time = time
        self.logger = logger
    }

    /// Works on the outbox until the service shuts down; an attempt under way is finished.
    public func run() async throws {
        await requeueRefused()
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            await drain()
            do {
                try await cancelWhenGracefulShutdown {
                    try await time.sleep(for: .seconds(schedule.pollInterval))
                }
            } catch {
                return
            }
        }
    }

    /// Makes one attempt for every entry that is due.
    ///
    /// - Returns: how many attempts were made.
    @discardableResult
    public func drain() async -> Int {
        var attemptCount = 0
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let batch = await claim()
            if batch.isEmpty { break }
            await withTaskGroup { group in
                for revocation in batch {
                    group.addTask { await attempt(revocation) }
                }
            }
            attemptCount += batch.count
        }
        return attemptCount
    }

    /// What Apple refused may have been a mistake in the configuration, mended since the last start.
    private func requeueRefused() async {
        do {
            let count = try await store.requeueRefusedRevocations(now: time.now)
            guard count > 0 else { return }
            logger.warning(
                "trying revocations again that were refused",
                metadata: ["count": "\(count)"]
            )
        } catch {
            logger.error("can't reach the outbox", metadata: ["hint": "\(error.hint)"])
        }
    }

    private func claim() async -> [Revocation] {
        let now = time.now
        let claim = RevocationClaim(
            worker: name,
            countMax: schedule.batchCountMax,
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

    private func attempt(_ revocation: Revocation) async {
        let result = await revoke(revocation)
        // A cancelled attempt says nothing about Apple; the claim runs out and another one is made.
        guard !Task.isCancelled || result == .revoked else { return }
        report(result, of: revocation)
        do {
            try await store.settleRevocation(revocation.id, worker: name, result: result)
        } catch {
            logger.error("can't settle a revocation", metadata: ["hint": "\(error.hint)"])
        }
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
            logger.info("revoked at Apple", metadata: metadata)
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
