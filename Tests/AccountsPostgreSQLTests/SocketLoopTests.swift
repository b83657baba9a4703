import Accounts
import Foundation
import Testing

@testable import AccountsPostgreSQL

@Suite struct SocketLoopTests {
    /// A pipe that tells when it can be read.
    private final class WatchedPipe: Sendable {
        private let ends: [Int32]
        private let continuation: AsyncStream<Void>.Continuation
        let isRead: AsyncStream<Void>

        init() throws {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
            self.ends = ends
            (isRead, continuation) = AsyncStream.makeStream()
        }

        deinit {
            for end in ends { close(end) }
        }

        func watch() -> SocketLoop.Watch {
            SocketLoop.shared.watch(
                ends[0],
                onReadable: { self.continuation.finish() },
                onWritable: {}
            )
        }

        func fill() {
            _ = write(ends[1], "x", 1)
        }
    }

    @Test func aContinuationResumesItsTaskOnTheLoop() async {
        let isOnLoop = await withTaskExecutorPreference(SocketLoop.tasks) {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume() }
            }
            return SocketLoop.shared.isIsolatingCurrentContext()
        }
        #expect(isOnLoop == true)
        #expect(SocketLoop.shared.isIsolatingCurrentContext() == false)
    }

    /// Whatever a task does with the answers must not keep the connections waiting.
    @Test func aTaskThatHasItsAnswersIsOffTheLoop() async throws {
        try await TestCluster.withStore { store in
            _ = try await store.pool.exchange([.command("SELECT 1")]).get()
            #expect(SocketLoop.shared.isIsolatingCurrentContext() == false)
            let wasOnLoop = try await store.database.decide { question in
                let isThere = question.exists("accounts WHERE id = $1", [.text("nobody")])
                return { answers throws(AccountStoreError) in
                    _ = try answers[isThere]
                    return Decision(SocketLoop.shared.isIsolatingCurrentContext())
                }
            }
            #expect(wasOnLoop == false)
            #expect(SocketLoop.shared.isIsolatingCurrentContext() == false)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func workThatNeverEndsLetsTheSocketsHaveTheirTurn() async throws {
        let pipe = try WatchedPipe()
        let watch = pipe.watch()
        defer { SocketLoop.shared.unwatch(watch) }
        let endless = Task(executorPreference: SocketLoop.tasks) {
            while !Task.isCancelled { await Task.yield() }
        }
        pipe.fill()
        for await _ in pipe.isRead {}
        endless.cancel()
        await endless.value
    }
}
