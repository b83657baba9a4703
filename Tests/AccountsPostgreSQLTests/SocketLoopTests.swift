import Foundation
import Testing

@testable import AccountsPostgreSQL

@Suite struct SocketLoopTests {
    /// Calls itself again until a socket has something to read.
    private final class Chain: Sendable {
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

    @Test(.timeLimit(.minutes(1)))
    func workThatNeverEndsLetsTheSocketsHaveTheirTurn() async throws {
        let chain = try Chain()
        let watch = chain.watch()
        defer { SocketLoop.shared.unwatch(watch) }
        let endless = Task(executorPreference: SocketLoop.tasks) {
            while !Task.isCancelled { await Task.yield() }
        }
        chain.fill()
        for await _ in chain.isRead {}
        endless.cancel()
        await endless.value
    }
}
