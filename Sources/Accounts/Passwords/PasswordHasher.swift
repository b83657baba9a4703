import Foundation
import Synchronization

/// Hashes and checks passwords on its own threads, a few at a time.
///
/// Each hash needs 16 MiB and a good part of a second on purpose. The limits leave memory and processor to sign-ins
/// with Apple under any load: when the queue is full, the response is `password_busy`.
final class PasswordHasher: Sendable {
    /// The maximum number of passwords that are hashed at the same time.
    static let maximumConcurrentCount = 2
    /// The maximum number of waiting passwords.
    static let maximumWaitingCount = 128
    /// The maximum number of these of one account or network, which keeps one client from filling the queue.
    static let maximumCountOfOne = 64

    /// The result of checking a password.
    enum Finding: Hashable {
        case wrong
        case right
        /// The password is right, but its hash has a different cost from new ones.
        case rightAtAnotherCost
    }

    /// A place at the front of the queue, for as long as the object lives.
    ///
    /// Callers take it before they count an attempt, because a refusal for a full queue is not an attempt.
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

        /// Checks a password; without a hash it takes as long and returns `wrong`.
        func check(
            _ password: String,
            against text: String?
        ) async throws(AccountsError) -> Finding {
            let stored = text.flatMap { PasswordHash($0) }
            let (cost, unknownUser) = (hasher.cost, hasher.unknownUser)
            return try await hasher.run {
                let matches = try (stored ?? unknownUser)?.matches(password) ?? false
                guard let stored, matches else { return .wrong }
                return stored.cost == cost ? .right : .rightAtAnotherCost
            }
        }
    }

    private struct Line {
        var runningCount = 0
        var totalCount = 0
        /// The number of places by account and network.
        var counts: [SecretHash: Int] = [:]
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let cost: PasswordCost
    private let queue = OperationQueue()
    private let line = Mutex(Line())
    /// The hash to check against when there is no account, because that must take as long.
    private let unknownUser: PasswordHash?

    init(cost: PasswordCost) {
        self.cost = cost
        queue.maxConcurrentOperationCount = Self.maximumConcurrentCount
        queue.qualityOfService = .utility
        unknownUser = PasswordHash(
            "$scrypt$ln=\(cost.logarithmOfRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
                + "$\(String(repeating: "A", count: 22))$\(String(repeating: "A", count: 43))"
        )
    }

    /// Waits for a place at the front of the queue; throws `password_busy` when the queue is full, or has too many
    /// places of one of the keys.
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
            // The next one takes over the place.
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
                    let failure = AccountsError(.internalError, hint: "a password cannot be hashed")
                    waiting.resume(returning: .failure(failure))
                }
            }
        }
        return try result.get()
    }
}
