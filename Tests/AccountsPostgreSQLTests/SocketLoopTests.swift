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

    /// Work on the loop that does not end by itself.
    private actor Endless {
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            SocketLoop.shared.asUnownedSerialExecutor()
        }

        func work() async {
            while !Task.isCancelled { await Task.yield() }
        }
    }

    /// What a task does with the answers must not keep the connections waiting.
    @Test func aTaskThatHasItsAnswersIsOffTheLoop() async throws {
        try await TestCluster.withStore { store in
            _ = try await store.postgreSQL.pool.exchange([.command("SELECT 1")]).get()
            #expect(SocketLoop.shared.isIsolatingCurrentContext() == false)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func workThatNeverEndsLetsTheSocketsHaveTheirTurn() async throws {
        let pipe = try WatchedPipe()
        let watch = pipe.watch()
        defer { SocketLoop.shared.unwatch(watch) }
        let endless = Task { await Endless().work() }
        pipe.fill()
        for await _ in pipe.isRead {}
        endless.cancel()
        await endless.value
    }
}
