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
    static let maximumWaitingCount = 32

    /// What checking a password found.
    enum Finding: Hashable {
        case wrong
        case right
        /// It is right, and was hashed at another cost than new ones.
        case rightAtAnotherCost
    }

    private let cost: PasswordCost
    private let queue = OperationQueue()
    private let pending = Mutex(0)
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

    /// Hashes a password.
    func hash(_ password: String) async throws(AccountsError) -> String {
        let cost = cost
        return try await run { try PasswordHash(password, cost: cost).text }
    }

    /// Checks a password; against nothing it takes as long and is wrong.
    func check(_ password: String, against text: String?) async throws(AccountsError) -> Finding {
        let stored = text.flatMap { PasswordHash($0) }
        let (cost, nobody) = (cost, nobody)
        return try await run {
            let matches = try (stored ?? nobody)?.matches(password) ?? false
            guard let stored, matches else { return .wrong }
            return stored.cost == cost ? .right : .rightAtAnotherCost
        }
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws(AccountsError) -> Value {
        let limit = Self.maximumConcurrentCount + Self.maximumWaitingCount
        let isAdmitted = pending.withLock { pending in
            guard pending < limit else { return false }
            pending += 1
            return true
        }
        guard isAdmitted else {
            throw AccountsError(.passwordBusy, hint: "\(limit) passwords are being hashed already")
        }
        defer { pending.withLock { $0 -= 1 } }
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
