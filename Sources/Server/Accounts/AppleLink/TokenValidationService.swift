import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import ServiceLifecycle
import SignInWithApple

/// Validates each refresh token at Apple once a day, and ends the access of users whose token Apple has revoked.
///
/// This also finds users who stopped using the app when no notification arrived. While Apple is not reachable, the
/// tokens are retried, at first after minutes, then every hour.
///
/// A round begins every minute. It validates a limited number of tokens, in batches side by side.
///
/// Several processes may share a store, because a token is claimed before it is validated.
///
/// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapple/verifying-a-user)
package struct TokenValidationService: Service {
    /// Seconds between the beginnings of two rounds.
    static let interval: TimeInterval = 60
    /// The maximum number of tokens of a batch, which are validated at once.
    static let maximumBatchCount = 4
    /// The number of tokens a minute for which batches follow each other; more need batches side by side.
    static let countPerMinuteOfSequence = 600
    /// The default for the maximum number of tokens a minute: 432 000 a day.
    package static let defaultCountPerMinute = 300

    /// A claim of tokens, which its end time identifies.
    private struct Claim {
        /// The maximum number of random seconds by which tokens are due early, to give each claim a unique end.
        static let maximumEarliness: TimeInterval = 1

        let now: Date
        let end: Date

        init(now: Date) {
            self.now = now
            let earlier = TimeInterval.random(in: 0..<Self.maximumEarliness)
            end = now.addingTimeInterval(RefreshToken.validationInterval - earlier)
        }
    }

    private let store: AccountStore
    private let apple: AppleSignIn
    private let team: TeamID?
    private let sealer: TokenSealer
    private let countPerMinute: Int
    private let time: TimeSource
    private let logger: Logger
    private let retries: ValidationRetries
    private let measures: ValidationMeasures
    /// The claims whose results were lost; each round repeats them until there are results.
    private let unanswered = LockedValue<[Claim]>([])
    /// Revoked tokens whose end could not be stored yet; any more are validated again on the next day.
    private let unwritten = LockedValue<[TokenValidation]>([])
    private static let maximumUnwrittenCount = 10_000

    package init(
        store: AccountStore,
        apple: AppleSignIn,
        team: TeamID? = nil,
        sealer: TokenSealer,
        countPerMinute: Int = defaultCountPerMinute,
        time: TimeSource = .live,
        randomUnit: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.store = store
        self.apple = apple
        self.team = team
        self.sealer = sealer
        self.countPerMinute = countPerMinute
        self.time = time
        self.logger = logger
        retries = ValidationRetries(randomUnit: randomUnit)
        measures = ValidationMeasures(metrics)
    }

    /// Validates due tokens until the service shuts down.
    package func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let end = time.now.addingTimeInterval(Self.interval)
            await validateDue()
            // The clock may have been set back.
            let rest = min(max(end.timeIntervalSince(time.now), 0), Self.interval)
            do {
                try await cancelWhenGracefulShutdown { try await time.sleep(for: .seconds(rest)) }
            } catch {
                return
            }
        }
    }

    /// Validates the due tokens of a round, until none is left or Apple cannot be reached.
    package func validateDue() async {
        await writeEnds()
        let rest = LockedValue(countPerMinute)
        await withTaskGroup { group in
            for _ in stride(from: 0, to: countPerMinute, by: Self.countPerMinuteOfSequence) {
                group.addTask { await validateBatches(rest) }
            }
        }
    }

    /// Validates batches one after another, beside other tasks that share the rest of the round.
    private func validateBatches(_ rest: LockedValue<Int>) async {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let count = rest.withLock { rest in
                let count = min(rest, Self.maximumBatchCount)
                rest -= count
                return count
            }
            let batch = count > 0 ? await claim(maximumCount: count) : []
            if batch.isEmpty { return }
            let isAppleThere = await withTaskGroup { group in
                for validation in batch { group.addTask { await validate(validation) } }
                return await group.reduce(true) { $0 && $1 }
            }
            // The other tokens stay due for the next round.
            if !isAppleThere { rest.withLock { $0 = 0 } }
        }
    }

    /// Stores the ends that failed before, because those users must not stay signed in for another day.
    private func writeEnds() async {
        let ends = unwritten.withLock { unwritten in
            defer { unwritten = [] }
            return unwritten
        }
        for validation in ends { await end(validation) }
    }

    private func claim(maximumCount: Int) async -> [TokenValidation] {
        let repeated = unanswered.withLock { $0.popLast() }
        let claim = repeated ?? Claim(now: time.now)
        do {
            return try await store.claimValidations(
                maximumCount: maximumCount,
                now: claim.now,
                until: claim.end
            )
        } catch {
            if repeated != nil || error.kind == .outcomeUnknown {
                unanswered.withLock { $0.append(claim) }
            }
            logger.warning("cannot read the refresh tokens", metadata: ["hint": "\(error.hint)"])
            return []
        }
    }

    /// Validates a token and returns whether Apple could be reached.
    private func validate(_ claimed: TokenValidation) async -> Bool {
        let token = claimed.token
        let outcome = await apple.outcome(of: .validation, for: token.clientID) {
            () throws(SealingError) in try token.opened(by: sealer)
        }
        switch outcome {
        case .done:
            retries.forget(token.id)
            measures.valid.increment()
        case .ended:
            retries.forget(token.id)
            measures.revoked.increment()
            await end(claimed)
        case .unreadable(let error):
            report("a refresh token cannot be decrypted", claimed, error.code.rawValue)
        case .refused(let error):
            report(error, about: claimed)
            measures.refused.increment()
        case .failed(let error):
            report(error, about: claimed)
            measures.failed.increment()
            await postpone(claimed)
            return false
        case nil: return false
        }
        return true
    }

    /// Schedules an early retry of a token, because its claim would postpone it for a day.
    private func postpone(_ validation: TokenValidation) async {
        guard let delay = retries.delay(afterFailureOf: validation.token.id) else { return }
        do {
            try await store.postpone(validation, until: time.now.addingTimeInterval(delay))
        } catch {
            logger.warning("cannot read the refresh tokens", metadata: ["hint": "\(error.hint)"])
        }
    }

    private func end(_ validation: TokenValidation) async {
        let now = time.now.inWholeMicroseconds
        let end = TokenEnd(
            account: validation.account,
            token: validation.token.id,
            team: team,
            audit: AuditContext(actor: .apple, detail: "validation", now: now),
            now: now
        )
        do {
            guard try await store.apply(end) != nil else { return }
            report("a refresh token was revoked at Apple", validation, "revoked")
        } catch {
            unwritten.withLock { unwritten in
                guard unwritten.count < Self.maximumUnwrittenCount else { return }
                unwritten.append(validation)
            }
            report("cannot remove a revoked refresh token yet", validation, "store_unavailable")
        }
    }

    private func report(_ error: SignInError, about validation: TokenValidation) {
        report(
            "a refresh token cannot be validated",
            validation,
            error.code.rawValue,
            causes: error.causes
        )
    }

    private func report(
        _ message: Logger.Message,
        _ validation: TokenValidation,
        _ code: String,
        causes: [RefusalCause] = []
    ) {
        var metadata: Logger.Metadata = [
            "account": "\(validation.account)", "client": "\(validation.token.clientID)",
            "code": "\(code)",
        ]
        if !causes.isEmpty { metadata["causes"] = .array(causes.map { "\($0)" }) }
        logger.notice(message, metadata: metadata)
    }
}
