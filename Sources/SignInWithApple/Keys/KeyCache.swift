import AppleIdentity
import Foundation
import Logging
import SignedTokens
import Synchronization

/// Apple's public keys, kept and renewed.
///
/// A key that is known costs one short lock. An unknown one is looked for at Apple once, by one
/// request for everybody who waits. A request that did not bring the key asked for starts an
/// interval in which unknown keys are not looked for: whether Apple has published them meanwhile is
/// not known then, so that the answer is to come again. When Apple fails, known keys stay.
final class KeyCache: Sendable {
    /// The wait after an unknown key was looked for in vain, in seconds.
    static let unknownKeyIntervalSeconds: TimeInterval = 60
    /// The pause after a failed request, in seconds; it doubles with each further failure.
    static let failurePauseSeconds: TimeInterval = 1
    /// The longest pause after failures, in seconds.
    static let maximumFailurePauseSeconds: TimeInterval = 60
    /// How far behind its renewal a key is used while the renewal is under way, in seconds.
    static let maximumStaleSeconds: TimeInterval = 86_400
    /// For how many renewals one caller waits: one under way for another key, and one more.
    static let maximumRenewalCount = 2

    /// One request for the keys.
    ///
    /// It is a task of its own, because it serves everybody who waits: that one caller gives up
    /// must not end it for the others.
    private struct Renewal {
        let keyID: String
        let task: Task<SignInError?, Never>
    }

    private struct State {
        var keys: [String: VerificationKey] = [:]
        var freshUntil = Date.distantPast
        var unknownKeyPauseEnd = Date.distantPast
        var failurePauseEnd = Date.distantPast
        var failureCount = 0
        var renewal: Renewal?
    }

    private enum Step {
        case use(VerificationKey)
        case await(Renewal)
        case refuse(SignInError)
    }

    private let state = Mutex(State())
    private let exchange: AppleExchange
    private let time: TimeSource
    private let logger: Logger

    init(exchange: AppleExchange, time: TimeSource, logger: Logger) {
        self.exchange = exchange
        self.time = time
        self.logger = logger
    }

    /// A key that is known and needs no renewal; nil when more than a look is needed.
    func freshKey(named keyID: String, at now: Date) -> VerificationKey? {
        state.withLock { now < $0.freshUntil ? $0.keys[keyID] : nil }
    }

    func key(named keyID: String) async throws(SignInError) -> VerificationKey {
        for _ in 0..<Self.maximumRenewalCount {
            switch state.withLock({ nextStep(for: keyID, &$0) }) {
            case .use(let key): return key
            case .refuse(let error): throw error
            case .await(let renewal):
                let failure = await renewal.task.value
                if let key = state.withLock({ $0.keys[keyID] }) { return key }
                if let failure { throw withPause(failure) }
                // A request for another key may have left before this one was published.
                guard renewal.keyID != keyID else { throw .unknownKey(keyID) }
            }
        }
        throw pausing(until: state.withLock { $0.unknownKeyPauseEnd }, at: time.now)
    }

    private func nextStep(for keyID: String, _ state: inout State) -> Step {
        let now = time.now
        guard let key = state.keys[keyID] else { return stepForUnknownKey(keyID, at: now, &state) }
        if now < state.freshUntil { return .use(key) }
        guard let renewal = renewal(for: keyID, at: now, &state) else { return .use(key) }
        let isLongStale = now > state.freshUntil.addingTimeInterval(Self.maximumStaleSeconds)
        return isLongStale ? .await(renewal) : .use(key)
    }

    private func stepForUnknownKey(_ keyID: String, at now: Date, _ state: inout State) -> Step {
        let pauseEnd = max(state.unknownKeyPauseEnd, state.failurePauseEnd)
        guard state.renewal != nil || now >= pauseEnd,
            let renewal = renewal(for: keyID, at: now, &state)
        else { return .refuse(pausing(until: pauseEnd, at: now)) }
        return .await(renewal)
    }

    private func withPause(_ failure: SignInError) -> SignInError {
        guard failure.isRetryable else { return failure }
        let end = state.withLock { max($0.unknownKeyPauseEnd, $0.failurePauseEnd) }
        return SignInError(
            failure.code,
            hint: failure.hint,
            retryAfterSeconds: seconds(until: end, at: time.now)
        )
    }

    private func seconds(until end: Date, at now: Date) -> Int {
        max(1, Int(end.timeIntervalSince(now).rounded(.up)))
    }

    private func pausing(until end: Date, at now: Date) -> SignInError {
        let seconds = seconds(until: end, at: now)
        return SignInError(
            .appleKeysUnavailable,
            hint: "the key is unknown, and the last look for one at Apple was in vain; "
                + "the next may be taken in \(seconds) seconds",
            retryAfterSeconds: seconds
        )
    }

    /// The request under way, or a new one; nil during the pause after failures.
    private func renewal(for keyID: String, at now: Date, _ state: inout State) -> Renewal? {
        if let renewal = state.renewal { return renewal }
        guard now >= state.failurePauseEnd else { return nil }
        let task = Task { await self.renew(askedFor: keyID) }
        let renewal = Renewal(keyID: keyID, task: task)
        state.renewal = renewal
        return renewal
    }

    private func renew(askedFor keyID: String) async -> SignInError? {
        do {
            let published = try await PublishedKeys(fetchedWith: exchange)
            let now = time.now
            state.withLock { state in
                state.renewal = nil
                state.keys = published.keys
                state.freshUntil = now.addingTimeInterval(published.lifetimeSeconds)
                state.failureCount = 0
                if state.keys[keyID] == nil {
                    state.unknownKeyPauseEnd = now.addingTimeInterval(
                        Self.unknownKeyIntervalSeconds
                    )
                }
            }
            return nil
        } catch {
            recordFailure(askedFor: keyID)
            logger.warning(
                "Apple's keys could not be renewed",
                metadata: ["hint": "\(error.hint)"]
            )
            return error
        }
    }

    private func recordFailure(askedFor keyID: String) {
        let now = time.now
        state.withLock { state in
            state.renewal = nil
            let pause = Self.failurePauseSeconds * pow(2, Double(state.failureCount))
            state.failureCount += 1
            state.failurePauseEnd = now.addingTimeInterval(
                min(pause, Self.maximumFailurePauseSeconds)
            )
            // Without any key nobody can sign in, so that the next attempt is not put off as long.
            guard !state.keys.isEmpty, state.keys[keyID] == nil else { return }
            state.unknownKeyPauseEnd = now.addingTimeInterval(Self.unknownKeyIntervalSeconds)
        }
    }
}

extension SignInError {
    fileprivate static func unknownKey(_ keyID: String) -> SignInError {
        SignInError(
            .tokenUnknownKey,
            hint: "Apple publishes no key named \(Excerpt.quoting(keyID))"
        )
    }
}
