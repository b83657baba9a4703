import Accounts
import AccountsPostgreSQL
import AppleIdentity
import Foundation
import Synchronization

/// Callers that read sessions at a store in no task: each asks for its next where its answer comes, on the store's own thread.
final class SessionReaders: Sendable {
    private struct State {
        var nextIndex = 0
        var answerCount = 0
        var error: (any Error)?
    }

    private let store: PostgreSQLAccountStore
    private let hashes: [SecretHash]
    private let state = Mutex(State())
    private let ended: CheckedContinuation<Void, any Error>

    /// Reads each session once.
    ///
    /// - Parameters:
    ///   - hashes: by what the sessions are found.
    ///   - store: the store.
    ///   - callers: how many ask at the same time.
    /// - Throws: what the store throws, or ``BenchError`` when a session is not found.
    static func read(
        _ hashes: [SecretHash],
        at store: PostgreSQLAccountStore,
        callers: Int
    ) async throws {
        guard !hashes.isEmpty else { return }
        try await withCheckedThrowingContinuation { continuation in
            let readers = SessionReaders(hashes, store, continuation)
            for _ in 0..<callers { readers.ask() }
        }
    }

    private init(
        _ hashes: [SecretHash],
        _ store: PostgreSQLAccountStore,
        _ ended: CheckedContinuation<Void, any Error>
    ) {
        (self.hashes, self.store, self.ended) = (hashes, store, ended)
    }

    private func ask() {
        let index = state.withLock { state in
            defer { state.nextIndex += 1 }
            return state.nextIndex
        }
        guard index < hashes.count else { return }
        if !store.findSession(tokenHash: hashes[index], for: self) {
            end(BenchError("the store answers tasks alone"))
        }
    }

    private func end(_ error: (any Error)? = nil) {
        let (isEnd, error) = state.withLock { state in
            state.answerCount += 1
            state.error = state.error ?? error
            return (state.answerCount == hashes.count, state.error)
        }
        guard isEnd else { return ask() }
        if let error { ended.resume(throwing: error) } else { ended.resume() }
    }
}

extension SessionReaders: SessionReceiver {
    func take(_ answer: @escaping SessionAnswer) {
        do {
            guard try answer() != nil else { throw BenchError("a session was not found") }
            end()
        } catch {
            end(error)
        }
    }

    func answersEnd() {}
}
