import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import SignedTokens

/// The public keys of Apple or of an accounts server, cached and renewed.
///
/// A known key costs one short lock. An unknown one is fetched, with one request for all waiting
/// callers, if the ``KeyFetchBudget`` permits it. If it does not, it is unknown whether the key has
/// been published meanwhile, so the error is retryable. If a request fails, known keys stay.
package final class KeyCache: Sendable {
    /// The pause after a failed request, in seconds; it doubles with each further failure.
    static let failurePauseSeconds: TimeInterval = 1
    /// The longest pause after failures, in seconds.
    static let maximumFailurePauseSeconds: TimeInterval = 60
    /// How long expired keys are used without waiting for their renewal, in seconds.
    static let maximumStaleSeconds: TimeInterval = 86_400
    /// The renewals that one caller waits for: a running one for another key, and one more.
    static let maximumRenewalCount = 2

    /// One request for the keys.
    ///
    /// It is a separate task, because it serves all waiting callers: the cancellation of one must not
    /// cancel it for the others.
    private struct Renewal {
        let keyID: String
        let task: Task<SignInError?, Never>
    }

    private struct State {
        var keys: [String: VerificationKey] = [:]
        var retired = RetiredKeys()
        var freshUntil = Date.distantPast
        var budget = KeyFetchBudget()
        var failurePauseEnd = Date.distantPast
        var failureCount = 0
        var renewal: Renewal?

        /// A clock that was set back must not keep a set for longer than the maximum lifetime.
        func isFresh(at now: Date) -> Bool {
            now < freshUntil
                && freshUntil.timeIntervalSince(now) <= PublishedKeys.lifetimeBounds.upperBound
        }

        /// The end of the pause after failures, which a clock that was set back must not postpone.
        mutating func pauseEnd(at now: Date) -> Date {
            let latest = now.addingTimeInterval(KeyCache.maximumFailurePauseSeconds)
            failurePauseEnd = min(failurePauseEnd, latest)
            return failurePauseEnd
        }
    }

    private enum Step {
        case use(VerificationKey)
        case await(Renewal)
        case refuse(SignInError)
    }

    private let state = LockedValue(State())
    private let exchange: AppleExchange
    private let time: TimeSource
    private let logger: Logger
    private let source: KeySource
    private let measures: OnFirstUse<KeyCacheMeasures>

    package init(
        exchange: AppleExchange,
        time: TimeSource,
        logger: Logger,
        source: KeySource = .apple,
        metrics: (any MetricsFactory)? = nil
    ) {
        self.exchange = exchange
        self.time = time
        self.logger = logger
        self.source = source
        measures = OnFirstUse {
            KeyCacheMeasures(metrics ?? MetricsSystem.factory, label: source.metricLabel)
        }
    }

    /// A known key that needs no renewal; nil if it must be fetched.
    func freshKey(named keyID: String, at now: Date) -> VerificationKey? {
        let key = state.withLock { $0.isFresh(at: now) ? $0.keys[keyID] : nil }
        if key != nil { measures.value.hits.increment() }
        return key
    }

    /// The key of a token: a published one, or one that was published when Apple signed it.
    func key(of token: ReceivedToken) async throws -> VerificationKey {
        let now = time.now
        let retired = state.withLock { $0.retired.key(named: token.keyID, at: now) }
        if let retired, token.isSigned(with: retired.key, by: retired.retiredAt) {
            return retired.key
        }
        return try await key(named: token.keyID)
    }

    /// Fetches the keys unless known ones can be used; stale ones are used while they are renewed.
    func prepare() async throws {
        let step: Step? = state.withLock { state in
            let now = time.now
            guard !state.isFresh(at: now) else { return nil }
            let renewal = renewal(for: "", at: now, &state)
            guard state.keys.isEmpty || isLongStale(state, at: now) else { return nil }
            return renewal.map(Step.await) ?? .refuse(refusal(at: now, &state))
        }
        switch step {
        case .await(let renewal):
            if let failure = try await renewal.task.valueUnlessCancelled() {
                throw withPause(failure)
            }
        case .refuse(let error): throw error
        case .use, nil: break
        }
    }

    package func key(named keyID: String) async throws -> VerificationKey {
        for _ in 0..<Self.maximumRenewalCount {
            switch state.withLock({ nextStep(for: keyID, &$0) }) {
            case .use(let key):
                measures.value.hits.increment()
                return key
            case .refuse(let error): throw error
            case .await(let renewal):
                let failure = try await renewal.task.valueUnlessCancelled()
                if let key = state.withLock({ $0.keys[keyID] }) { return key }
                if let failure { throw withPause(failure) }
                // A request for another key may have been sent before this one was published.
                guard renewal.keyID != keyID else { throw unknownKey(keyID) }
            }
        }
        throw state.withLock { refusal(at: time.now, &$0) }
    }

    private func nextStep(for keyID: String, _ state: inout State) -> Step {
        let now = time.now
        let isLongStale = isLongStale(state, at: now)
        if isLongStale, source.isRenewedBeforeUse { state.keys = [:] }
        guard let key = state.keys[keyID] else { return stepForUnknownKey(keyID, at: now, &state) }
        if state.isFresh(at: now) { return .use(key) }
        guard let renewal = renewal(for: keyID, at: now, &state) else { return .use(key) }
        let isFirstRenewal = source.isRenewedBeforeUse && state.failureCount == 0
        return isLongStale || isFirstRenewal ? .await(renewal) : .use(key)
    }

    private func isLongStale(_ state: State, at now: Date) -> Bool {
        now > state.freshUntil.addingTimeInterval(Self.maximumStaleSeconds)
    }

    private func stepForUnknownKey(_ keyID: String, at now: Date, _ state: inout State) -> Step {
        if let renewal = state.renewal { return .await(renewal) }
        // Without any key no user can sign in: only the pause after failures limits those fetches.
        guard now >= state.pauseEnd(at: now), state.keys.isEmpty || state.budget.spend(at: now),
            let renewal = renewal(for: keyID, at: now, &state)
        else { return .refuse(refusal(at: now, &state)) }
        return .await(renewal)
    }

    private func withPause(_ failure: SignInError) -> SignInError {
        guard failure.isRetryable else { return failure }
        return SignInError(
            failure.code,
            hint: failure.hint,
            retryAfter: state.withLock { waitForNextFetch(at: time.now, &$0) }
        )
    }

    private func waitForNextFetch(at now: Date, _ state: inout State) -> Duration {
        let ofBudget = state.keys.isEmpty ? now : state.budget.nextFetch(at: now)
        let end = max(state.pauseEnd(at: now), ofBudget)
        return .seconds(max(1, end.timeIntervalSince(now).rounded(.up)))
    }

    private func refusal(at now: Date, _ state: inout State) -> SignInError {
        let wait = waitForNextFetch(at: now, &state)
        let next = "the next fetch is allowed in \(wait.wholeSeconds) seconds"
        guard state.failureCount == 0 else {
            return SignInError(
                source.unavailable,
                hint: "the key is unknown, and the last request for the keys failed; " + next,
                retryAfter: wait
            )
        }
        return SignInError(
            .tokenKeyNotPublished,
            hint: "too many unknown keys in the last minute; " + next,
            retryAfter: wait
        )
    }

    /// The running request, or a new one; nil during the pause after failures.
    private func renewal(for keyID: String, at now: Date, _ state: inout State) -> Renewal? {
        if let renewal = state.renewal { return renewal }
        guard now >= state.pauseEnd(at: now) else { return nil }
        let task = Task { await self.renew() }
        let renewal = Renewal(keyID: keyID, task: task)
        state.renewal = renewal
        return renewal
    }

    private func renew() async -> SignInError? {
        do {
            let published = try await PublishedKeys(of: source, fetchedWith: exchange)
            let now = time.now
            state.withLock { state in
                state.renewal = nil
                state.retired.follow(from: state.keys, to: published.keys, at: now)
                state.keys = published.keys
                state.freshUntil = now.addingTimeInterval(published.lifetimeSeconds)
                state.failureCount = 0
            }
            measures.value.renewed(at: now)
            return nil
        } catch {
            let failure =
                error as? SignInError
                ?? SignInError(source.unavailable, hint: "no response: \(type(of: error))")
            recordFailure()
            measures.value.failures.increment()
            logger.warning(
                "\(source.publisher)'s keys could not be refreshed",
                metadata: ["hint": "\(failure.hint)"]
            )
            return failure
        }
    }

    private func recordFailure() {
        let now = time.now
        state.withLock { state in
            state.renewal = nil
            let pause = Self.failurePauseSeconds * pow(2, Double(state.failureCount))
            state.failureCount += 1
            state.failurePauseEnd = now.addingTimeInterval(
                min(pause, Self.maximumFailurePauseSeconds)
            )
        }
    }

    private func unknownKey(_ keyID: String) -> SignInError {
        SignInError(
            .tokenUnknownKey,
            hint: "\(source.publisher) publishes no key with the ID \(Excerpt.quoting(keyID))"
        )
    }
}

/// The limit of fetches for unknown keys: five at once, then one every twelve seconds.
///
/// Anyone can invent a key identifier. Tokens with invented ones must not cost a request each, and must
/// not delay users for long whose tokens have a key that Apple has published since.
struct KeyFetchBudget {
    /// The maximum number of fetches at once.
    static let maximumCount = 5
    /// The time after which one more fetch is permitted, in seconds.
    static let intervalSeconds: TimeInterval = 12

    private static let fillSeconds = TimeInterval(maximumCount) * intervalSeconds

    /// When the budget is full again.
    private var fullAt = Date.distantPast

    /// Takes one fetch from the budget; false if none is left.
    mutating func spend(at now: Date) -> Bool {
        guard nextFetch(at: now) <= now else { return false }
        fullAt = max(fullAt, now).addingTimeInterval(Self.intervalSeconds)
        return true
    }

    /// When the next fetch is permitted.
    mutating func nextFetch(at now: Date) -> Date {
        // A clock that was set back must not postpone the next fetch.
        fullAt = min(fullAt, now.addingTimeInterval(Self.fillSeconds))
        return fullAt.addingTimeInterval(Self.intervalSeconds - Self.fillSeconds)
    }
}

extension Task where Failure == Never {
    /// The value of a shared task, or `CancellationError` if the waiting caller is cancelled; the task
    /// continues for the others.
    func valueUnlessCancelled() async throws -> Success {
        let (values, continuation) = AsyncStream.makeStream(of: Success.self)
        Task<Void, Never> {
            continuation.yield(await value)
            continuation.finish()
        }
        for await value in values { return value }
        throw _Concurrency.CancellationError()
    }
}
