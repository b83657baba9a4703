import Synchronization

/// How many entries may be written that no change of an account goes with, so that nobody fills the disk by asking.
///
/// Times are the clock's uptime: nobody has to wait because the clock was set.
final class AuditBudget: Sendable {
    /// Refusals that are written at once.
    static let burst = 100
    /// Between two refusals that go on for ever: thirty megabytes a day.
    static let interval: Duration = .seconds(1)
    /// Between two exports of one account that are written.
    static let exportInterval: Duration = .seconds(60)
    /// Accounts whose exports are remembered.
    static let maximumAccountCount = 10_000

    private typealias Answer = CheckedContinuation<Bool, Never>

    /// The latest export of an account.
    private enum Export {
        /// Its entry is being written; others wait for what becomes of it.
        case writing(waiting: [Answer])
        case written(Duration)
    }

    private struct State {
        /// When as many may be written at once again.
        var fullAt: Duration = .zero
        var skippedCount = 0
        var exports: [AccountID: Export] = [:]
    }

    private let state = Mutex(State())

    /// Asks for one more refusal to be written; returns how many were not written since the last one that was, nil
    /// when this one must not be written either.
    func admitRefusal(now: Duration) -> Int? {
        state.withLock { state in
            guard Self.admit(now, &state) else {
                state.skippedCount += 1
                return nil
            }
            defer { state.skippedCount = 0 }
            return state.skippedCount
        }
    }

    /// Asks for an entry about refusals that were not written and not told yet; returns how many, nil when there are
    /// none or the entry waits.
    func takeSkipped(now: Duration, isLast: Bool) -> Int? {
        state.withLock { state in
            guard state.skippedCount > 0, Self.admit(now, &state) || isLast else { return nil }
            defer { state.skippedCount = 0 }
            return state.skippedCount
        }
    }

    /// Counts refusals as skipped that were admitted: they could not be written, or told of.
    func takeBackRefusals(_ count: Int) {
        state.withLock { $0.skippedCount += count }
    }

    private static func admit(_ now: Duration, _ state: inout State) -> Bool {
        let missing = max(state.fullAt - now, .zero)
        guard missing + interval <= interval * burst else { return false }
        state.fullAt = now + missing + interval
        return true
    }
}

extension AuditBudget {
    /// How many wait for what becomes of another's entry, for tests.
    func waitingCount(of account: AccountID) -> Int {
        state.withLock { state in
            guard case .writing(let waiting)? = state.exports[account] else { return 0 }
            return waiting.count
        }
    }

    /// Whether an export of an account is to be written: the first one, and one a minute.
    ///
    /// While the entry of one is being written, others wait for it: an export is covered by what is written alone.
    ///
    /// - Parameters:
    ///   - account: whose export it is.
    ///   - now: the time.
    /// - Returns: true when it is to be written; ``settleExport(of:writtenAt:)`` has to follow.
    func admitsExport(of account: AccountID, now: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { Self.answer(account, now, continuation, &$0) }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Tells those who wait what became of the entry of an export; when it was not written, the next one writes its
    /// own.
    func settleExport(of account: AccountID, writtenAt time: Duration?) {
        let (covered, next) = state.withLock { state -> ([Answer], Answer?) in
            guard case .writing(let waiting)? = state.exports[account] else { return ([], nil) }
            if let time {
                state.exports[account] = .written(time)
                return (waiting, nil)
            }
            state.exports[account] =
                waiting.isEmpty ? nil : .writing(waiting: Array(waiting.dropFirst()))
            return ([], waiting.first)
        }
        for continuation in covered { continuation.resume(returning: false) }
        next?.resume(returning: true)
    }

    /// Nil when it has to wait.
    private static func answer(
        _ account: AccountID,
        _ now: Duration,
        _ continuation: Answer,
        _ state: inout State
    ) -> Bool? {
        switch state.exports[account] {
        case .writing(let waiting)?:
            state.exports[account] = .writing(waiting: waiting + [continuation])
            return nil
        case .written(let time)? where now - time < exportInterval: return false
        default: break
        }
        if state.exports.count >= maximumAccountCount {
            state.exports = state.exports.filter { _, export in
                guard case .written(let time) = export else { return true }
                return now - time < exportInterval
            }
        }
        if state.exports.count < maximumAccountCount {
            state.exports[account] = .writing(waiting: [])
        }
        return true
    }
}
