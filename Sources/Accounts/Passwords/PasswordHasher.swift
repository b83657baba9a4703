import Foundation
import Synchronization

/// Hashes and checks passwords on threads of its own, few at a time.
///
/// Each hash takes 16 MiB and a good part of a second on purpose. However many ask, memory and processor stay
/// with who signs in by Apple: beyond the waiting line the answer is `password_busy`.
final class PasswordHasher: Sendable {
    /// How many passwords are hashed at the same time.
    static let maximumConcurrentCount = 2
    /// How many may wait for that.
    static let maximumWaitingCount = 128
    /// How many of all these may be of one account or network, so that nobody takes the line for themselves.
    static let maximumCountOfOne = 64

    /// What checking a password found.
    enum Finding: Hashable {
        case wrong
        case right
        /// It is right, and was hashed at another cost than new ones.
        case rightAtAnotherCost
    }

    /// A place at the front of the line, for as long as it lives.
    ///
    /// Whoever counts attempts takes one before: what is refused for want of a place was no attempt.
    final class Turn: Sendable {
        private let hasher: PasswordHasher
        private let keys: [SecretHash]

        fileprivate init(_ hasher: PasswordHasher, _ keys: [SecretHash]) {
            self.hasher = hasher
            self.keys = keys
        }

        deinit { hasher.leave(keys) }

        func hash(_ password: String) async throws(AccountsError) -> String {
            let cost = hasher.cost
            return try await hasher.run { try PasswordHash(password, cost: cost).text }
        }

        /// Checks a password; against nothing it takes as long and is wrong.
        func check(
            _ password: String,
            against text: String?
        ) async throws(AccountsError) -> Finding {
            let stored = text.flatMap { PasswordHash($0) }
            let (cost, nobody) = (hasher.cost, hasher.nobody)
            return try await hasher.run {
                let matches = try (stored ?? nobody)?.matches(password) ?? false
                guard let stored, matches else { return .wrong }
                return stored.cost == cost ? .right : .rightAtAnotherCost
            }
        }
    }

    private struct Line {
        var runningCount = 0
        var totalCount = 0
        /// Of each account and network.
        var counts: [SecretHash: Int] = [:]
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let cost: PasswordCost
    private let queue = OperationQueue()
    private let line = Mutex(Line())
    /// What a password is checked against when there is no account, so that it takes as long.
    private let nobody: PasswordHash?

    init(cost: PasswordCost) {
        self.cost = cost
        queue.maxConcurrentOperationCount = Self.maximumConcurrentCount
        queue.qualityOfService = .utility
        nobody = PasswordHash(
            "$scrypt$ln=\(cost.logarithmOfRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
                + "$\(String(repeating: "A", count: 22))$\(String(repeating: "A", count: 43))"
        )
    }

    /// Waits for a place at the front of the line; throws `password_busy` when the line is full, or has enough of one
    /// of them.
    func turn(of keys: [SecretHash] = []) async throws(AccountsError) -> Turn {
        guard enter(keys) else {
            throw AccountsError(.passwordBusy, hint: "too many passwords are waiting to be hashed")
        }
        await withCheckedContinuation { waiting in
            let goes = line.withLock { line in
                guard line.runningCount < Self.maximumConcurrentCount else {
                    line.waiting.append(waiting)
                    return false
                }
                line.runningCount += 1
                return true
            }
            if goes { waiting.resume() }
        }
        return Turn(self, keys)
    }

    private func enter(_ keys: [SecretHash]) -> Bool {
        line.withLock { line in
            guard line.totalCount < Self.maximumConcurrentCount + Self.maximumWaitingCount,
                keys.allSatisfy({ line.counts[$0, default: 0] < Self.maximumCountOfOne })
            else { return false }
            line.totalCount += 1
            for key in keys { line.counts[key, default: 0] += 1 }
            return true
        }
    }

    private func leave(_ keys: [SecretHash]) {
        let next = line.withLock { line -> CheckedContinuation<Void, Never>? in
            line.totalCount -= 1
            for key in keys {
                let count = line.counts[key, default: 1] - 1
                line.counts[key] = count > 0 ? count : nil
            }
            // Whoever comes next has the place that is left.
            guard line.waiting.isEmpty else { return line.waiting.removeFirst() }
            line.runningCount -= 1
            return nil
        }
        next?.resume()
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws(AccountsError) -> Value {
        let result: Result<Value, AccountsError> = await withCheckedContinuation { waiting in
            queue.addOperation {
                do {
                    waiting.resume(returning: .success(try work()))
                } catch {
                    let failure = AccountsError(.internalError, hint: "a password can't be hashed")
                    waiting.resume(returning: .failure(failure))
                }
            }
        }
        return try result.get()
    }
}
