import Accounts
import AppleIdentity
import Dispatch
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import AccountsServer

@Suite("Answers on their way to an event loop")
struct EventLoopInboxTests {
    @Test("wake it once for all that come together, whichever connections they are for")
    func together() {
        let eventLoop = CountingEventLoop()
        let inboxes = EventLoopInboxes()
        for round in 1...3 {
            let receivers = (0..<3).map { _ in receiver(eventLoop, inboxes) }
            for receiver in receivers { receiver.take { nil } }
            #expect(eventLoop.callCount == round - 1)
            for receiver in receivers { receiver.answersEnd() }
            #expect(eventLoop.callCount == round)
            eventLoop.run()
        }
        receiver(eventLoop, inboxes).answersEnd()
        #expect(eventLoop.callCount == 3)
    }

    @Test("go to the event loop of their connection")
    func own() {
        let eventLoops = [CountingEventLoop(), CountingEventLoop()]
        let inboxes = EventLoopInboxes()
        let receiver = receiver(eventLoops[1], inboxes)
        receiver.take { nil }
        receiver.answersEnd()
        #expect(eventLoops.map(\.callCount) == [0, 1])
        let inbox = inboxes.inbox(of: eventLoops[1])
        #expect(inbox === inboxes.inbox(of: eventLoops[1]))
        #expect(inbox !== inboxes.inbox(of: eventLoops[0]))
    }

    private func receiver(
        _ eventLoop: CountingEventLoop,
        _ inboxes: EventLoopInboxes
    ) -> ConnectionReceiver {
        let answers = ImmediateAnswers(dates: DateField(time: .live))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return ConnectionReceiver(
            handler: NIOLoopBound(
                ImmediateAnswerHandler(answers, logger: logger),
                eventLoop: eventLoop
            ),
            inbox: inboxes.inbox(of: eventLoop)
        )
    }
}

/// Counts what it is to call, and calls it when a test says so.
private final class CountingEventLoop: EventLoop {
    private struct State {
        var count = 0
        var calls: [@Sendable () -> Void] = []
    }

    private let embedded = NIOAsyncTestingEventLoop()
    private let state = Mutex(State())

    var callCount: Int { state.withLock { $0.count } }
    var inEventLoop: Bool { true }

    func execute(_ task: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.count += 1
            state.calls.append(task)
        }
    }

    func run() {
        for call in state.withLock({ exchange(&$0.calls, with: []) }) { call() }
    }

    func scheduleTask<Answer>(
        deadline: NIODeadline,
        _ task: @escaping @Sendable () throws -> Answer
    ) -> Scheduled<Answer> {
        embedded.scheduleTask(deadline: deadline, task)
    }

    func scheduleTask<Answer>(
        in delay: TimeAmount,
        _ task: @escaping @Sendable () throws -> Answer
    ) -> Scheduled<Answer> {
        embedded.scheduleTask(in: delay, task)
    }

    func shutdownGracefully(
        queue: DispatchQueue,
        _ callback: @escaping @Sendable ((any Error)?) -> Void
    ) {
        embedded.shutdownGracefully(queue: queue, callback)
    }
}
