import AppleIdentity
import Foundation
import Logging
import SignedTokens
import Synchronization

/// Apple's public keys, kept and renewed.
///
/// A key that is known costs one short lock. An unknown one is looked for at Apple once, by one
/// request for everybody who waits; a request that did not bring the key asked for starts an
/// interval in which unknown keys are refused without asking. When Apple fails, known keys stay.
final class KeyCache: Sendable {
    /// The wait after an unknown key was looked for in vain, in seconds.
    static let unknownKeyIntervalSeconds: TimeInterval = 60
    /// How many requests may fail one after the other without a pause.
    static let failureCountBeforePause = 3
    /// The pause after so many failures, in seconds.
    static let failurePauseSeconds: TimeInterval = 10
    /// How far behind its renewal a key is used while the renewal is under way, in seconds.
    static let staleSecondsMax: TimeInterval = 86_400

    private typealias Renewal = Task<SignInError?, Never>

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

    func key(named keyID: String) async throws(SignInError) -> VerificationKey {
        switch state.withLock({ nextStep(for: keyID, &$0) }) {
        case .use(let key): return key
        case .refuse(let error): throw error
        case .await(let renewal):
            let failure = await renewal.value
            if let key = state.withLock({ $0.keys[keyID] }) { return key }
            throw failure ?? .unknownKey(keyID)
        }
    }

    private func nextStep(for keyID: String, _ state: inout State) -> Step {
        let now = time.now
        guard let key = state.keys[keyID] else { return stepForUnknownKey(keyID, at: now, &state) }
        if now < state.freshUntil { return .use(key) }
        guard let renewal = renewal(for: keyID, at: now, &state) else { return .use(key) }
        let isLongStale = now > state.freshUntil.addingTimeInterval(Self.staleSecondsMax)
        return isLongStale ? .await(renewal) : .use(key)
    }

    private func stepForUnknownKey(_ keyID: String, at now: Date, _ state: inout State) -> Step {
        guard now >= state.unknownKeyPauseEnd || state.renewal != nil else {
            return .refuse(.unknownKey(keyID))
        }
        if let renewal = renewal(for: keyID, at: now, &state) { return .await(renewal) }
        return .refuse(
            SignInError(.appleKeysUnavailable, hint: "Apple's keys failed repeatedly; pausing")
        )
    }

    /// The request under way, or a new one; nil during the pause after failures.
    ///
    /// It is a task of its own, because it serves everybody who waits: that one caller gives up
    /// must not end it for the others.
    private func renewal(for keyID: String, at now: Date, _ state: inout State) -> Renewal? {
        if let renewal = state.renewal { return renewal }
        guard now >= state.failurePauseEnd else { return nil }
        let renewal = Renewal { await self.renew(askedFor: keyID) }
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
            recordFailure()
            logger.warning(
                "Apple's keys could not be renewed",
                metadata: ["hint": "\(error.hint)"]
            )
            return error
        }
    }

    private func recordFailure() {
        let now = time.now
        state.withLock { state in
            state.renewal = nil
            state.failureCount += 1
            guard state.failureCount >= Self.failureCountBeforePause else { return }
            state.failurePauseEnd = now.addingTimeInterval(Self.failurePauseSeconds)
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
