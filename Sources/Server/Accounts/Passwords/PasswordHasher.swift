import Foundation
import Synchronization

/// Hashes and checks passwords on its own threads, a few at a time.
///
/// Each hash needs 16 MiB and a good part of a second on purpose. The limits leave memory and processor to sign-ins
/// with Apple under any load, and in the ``PasswordQueue`` a flood delays only itself.
package final class PasswordHasher: Sendable {
    /// The result of checking a password.
    enum Finding: Hashable {
        case wrong
        case right
        /// The password is right, but its hash has a different cost from new ones.
        case rightAtAnotherCost
    }

    /// A turn to hash passwords, for as long as the object lives.
    ///
    /// Callers take it before they count an attempt, because a refusal for a full queue is not an attempt.
    final class Turn: Sendable {
        private let hasher: PasswordHasher
        private let client: PasswordQueue.Client

        fileprivate init(_ hasher: PasswordHasher, _ client: PasswordQueue.Client) {
            self.hasher = hasher
            self.client = client
        }

        deinit { hasher.endTurn() }

        func hash(_ password: String) async throws(AccountsError) -> String {
            let cost = hasher.cost
            return try await hasher.run(client, cost) {
                try PasswordHash(password, cost: cost).text
            }
        }

        /// Checks a password; without a hash it takes as long and returns `wrong`.
        func check(
            _ password: String,
            against text: String?
        ) async throws(AccountsError) -> Finding {
            let stored = text.flatMap { PasswordHash($0) }
            let cost = hasher.cost
            let compared = stored ?? PasswordHash(ofNoPasswordAt: cost)
            return try await hasher.run(client, compared.cost) {
                guard try compared.matches(password), stored != nil else { return .wrong }
                return compared.cost == cost ? .right : .rightAtAnotherCost
            }
        }
    }

    private struct State {
        var runningCount = 0
        var lastNumber = 0
        var queue = PasswordQueue()
    }

    private let cost: PasswordCost
    /// The number of passwords that are hashed at the same time.
    let concurrentCount: Int
    private let willHash: @Sendable (PasswordQueue.Client, PasswordCost) -> Void
    private let threads = OperationQueue()
    private let state = Mutex(State())

    /// Creates the hasher of a process.
    ///
    /// - Parameters:
    ///   - cost: the cost of new hashes.
    ///   - concurrentCount: the number of passwords that are hashed at the same time, by default by half of the cores.
    ///   - willHash: called before each hash, with its cost.
    init(
        cost: PasswordCost,
        concurrentCount: Int = max(1, ProcessInfo.processInfo.activeProcessorCount / 2),
        willHash: @escaping @Sendable (PasswordQueue.Client, PasswordCost) -> Void = { _, _ in }
    ) {
        self.cost = cost
        self.concurrentCount = concurrentCount
        self.willHash = willHash
        threads.maxConcurrentOperationCount = concurrentCount
        threads.qualityOfService = .utility
    }

    /// The clients that wait, in the order of arrival.
    var waiting: [PasswordQueue.Client] {
        state.withLock { $0.queue.places.map(\.client) }
    }

    /// Waits for the client's turn; returns nil when the queue is full, or the task is cancelled.
    func turn(of client: PasswordQueue.Client) async -> Turn? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let isNext = await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                enter(PasswordQueue.Place(number: number, client: client, waiting: waiting))
            }
        } onCancel: {
            state.withLock { $0.queue.remove(number) }?.waiting.resume(returning: false)
        }
        return isNext ? Turn(self, client) : nil
    }

    private func enter(_ place: PasswordQueue.Place) {
        let decided: (place: PasswordQueue.Place, isNext: Bool)? = state.withLock { state in
            // A task cancelled before this point was not found by its cancellation handler.
            guard !Task.isCancelled else { return (place, false) }
            guard state.runningCount < concurrentCount else {
                return state.queue.add(place).map { ($0, false) }
            }
            state.runningCount += 1
            state.queue.begin(place.client)
            return (place, true)
        }
        decided?.place.waiting.resume(returning: decided?.isNext == true)
    }

    private func endTurn() {
        let next = state.withLock { state in
            let next = state.queue.next()
            if next == nil { state.runningCount -= 1 }
            return next
        }
        next?.waiting.resume(returning: true)
    }

    private func run<Value: Sendable>(
        _ client: PasswordQueue.Client,
        _ cost: PasswordCost,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws(AccountsError) -> Value {
        let result: Result<Value, AccountsError> = await withCheckedContinuation { waiting in
            threads.addOperation { [willHash] in
                willHash(client, cost)
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
