import AppleIdentity
import Foundation
import Logging
import Synchronization

/// Makes entries of the audit log part of its chain, and forgets the old ones.
///
/// Any number of processes may do so on one database. Each remembers how it left the chain, so that one that was put
/// back to an earlier state, seal and all, shows at once.
final class AuditSealer: Sendable {
    /// How many entries one transaction takes.
    static let maximumBatchCount = 500
    /// How many such transactions one round has.
    static let maximumBatchesPerRound = 20
    /// Seconds between two lines of the log about the same.
    static let logInterval: TimeInterval = 600

    private struct State {
        var remembered: AuditPosition?
        var loggedHead: AuditPosition?
        var headLoggedAt: Date?
        var fault: AuditFault?
        var faultLoggedAt: Date?
    }

    private let store: any AccountStore
    private let keys: AuditKeys
    private let memory: TimeInterval
    private let time: TimeSource
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - store: where the log is kept.
    ///   - keys: the keys.
    ///   - memory: seconds for which entries are kept.
    ///   - time: the clock.
    ///   - logger: told how the chain ends, and that somebody has changed it.
    init(
        store: any AccountStore,
        keys: AuditKeys,
        memory: TimeInterval,
        time: TimeSource,
        logger: Logger
    ) {
        self.store = store
        self.keys = keys
        self.memory = memory
        self.time = time
        self.logger = logger
    }

    /// Seals what waits, in a bounded number of transactions.
    ///
    /// - Parameter restarts: whether the chain begins anew behind what is there.
    /// - Throws: `AccountStoreError`.
    func seal(restarts: Bool = false) async throws(AccountStoreError) {
        for round in 0..<Self.maximumBatchesPerRound {
            let sealing = AuditSealing(
                keys: keys,
                remembered: restarts ? nil : state.withLock { $0.remembered },
                maximumCount: Self.maximumBatchCount,
                restarts: restarts && round == 0,
                now: time.now
            )
            switch try await store.seal(sealing) {
            case .altered(let fault): return found(fault)
            case .sealed(let seal, let count):
                sealed(seal)
                guard count == Self.maximumBatchCount else { return }
            }
        }
    }

    /// Forgets what is old enough, in a bounded number of transactions.
    ///
    /// - Throws: `AccountStoreError`.
    func forgetOld() async throws(AccountStoreError) {
        for _ in 0..<Self.maximumBatchesPerRound {
            let now = time.now
            let expiry = AuditExpiry(
                keys: keys,
                limit: now.addingTimeInterval(-memory),
                maximumCount: Self.maximumBatchCount,
                now: now
            )
            switch try await store.forget(expiry) {
            case .altered(let fault): return found(fault)
            case .forgotten(let count): guard count == Self.maximumBatchCount else { return }
            }
        }
    }

    /// Writes the end of the chain into the log, where whoever can change the database can't change it.
    ///
    /// - Parameter isLast: whether the process ends.
    func logHead(isLast: Bool) {
        let now = time.now
        let head = state.withLock { state -> AuditPosition? in
            guard let head = state.remembered, head != state.loggedHead else { return nil }
            let isDue = state.headLoggedAt.map {
                abs(now.timeIntervalSince($0)) >= Self.logInterval
            }
            guard isLast || isDue ?? true else { return nil }
            state.loggedHead = head
            state.headLoggedAt = now
            return head
        }
        guard let head else { return }
        logger.notice("audit log sealed", metadata: ["head": "\(head)"])
    }

    private func sealed(_ seal: AuditSeal) {
        let wasAltered = state.withLock { state in
            state.remembered = seal.head
            defer { state.fault = nil }
            return state.fault != nil
        }
        if wasAltered { logger.notice("audit log is sealed again") }
        logHead(isLast: false)
    }

    private func found(_ fault: AuditFault) {
        let now = time.now
        let isNews = state.withLock { state in
            let isOld = state.faultLoggedAt.map {
                abs(now.timeIntervalSince($0)) >= Self.logInterval
            }
            guard state.fault != fault || isOld ?? true else { return false }
            state.fault = fault
            state.faultLoggedAt = now
            return true
        }
        guard isNews else { return }
        logger.error(
            "the audit log was altered",
            metadata: [
                "code": "\(fault.rawValue)",
                "hint": "run siwa audit verify; nothing is sealed until siwa audit restart",
            ]
        )
    }
}
