import Accounts
import NIOCore
import Synchronization

/// Answers of the store on their way to one event loop, which is woken once for all that come together.
final class EventLoopInbox: Sendable {
    private typealias Delivery = (handler: NIOLoopBound<ImmediateAnswerHandler>, SessionAnswer)

    private struct State {
        var waiting: [Delivery] = []
        /// Whether the event loop was told of them.
        var isTold = false
    }

    let eventLoop: any EventLoop
    private let state = Mutex(State())

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Keeps an answer for a connection of this event loop.
    func add(_ answer: @escaping SessionAnswer, for handler: NIOLoopBound<ImmediateAnswerHandler>) {
        state.withLock { $0.waiting.append((handler, answer)) }
    }

    /// Has what was kept handed out.
    func tell() {
        let tells = state.withLock { state in
            guard !state.isTold, !state.waiting.isEmpty else { return false }
            state.isTold = true
            return true
        }
        if tells { eventLoop.execute { self.handOut() } }
    }

    private func handOut() {
        let waiting = state.withLock { state in
            state.isTold = false
            return exchange(&state.waiting, with: [])
        }
        for (handler, answer) in waiting { handler.value.take(answer) }
    }
}

/// The inboxes of all event loops that have connections.
final class EventLoopInboxes: Sendable {
    private let inboxes = Mutex<[ObjectIdentifier: EventLoopInbox]>([:])

    /// The inbox of an event loop, which stays as long as these do.
    func inbox(of eventLoop: any EventLoop) -> EventLoopInbox {
        inboxes.withLock { inboxes in
            let name = ObjectIdentifier(eventLoop)
            if let known = inboxes[name] { return known }
            let inbox = EventLoopInbox(eventLoop)
            inboxes[name] = inbox
            return inbox
        }
    }
}

/// Takes the store's answers to the event loop of the connection that waits for them.
struct ConnectionReceiver: SessionReceiver {
    let handler: NIOLoopBound<ImmediateAnswerHandler>
    let inbox: EventLoopInbox

    func take(_ answer: @escaping SessionAnswer) {
        if inbox.eventLoop.inEventLoop, handler.value.receiveSynchronously(answer) { return }
        inbox.add(answer, for: handler)
    }

    func answersEnd() { inbox.tell() }
}
