import Foundation
import Synchronization

/// The event loop of all connections to PostgreSQL: one thread that waits for all sockets and executes the connections'
/// actors.
///
/// libpq reads its socket itself, which SwiftNIO's event loops do not allow. Actors that share this loop call each other
/// without switching threads.
///
/// Source: [poll](https://pubs.opengroup.org/onlinepubs/9799919799/functions/poll.html)
final class SocketLoop: SerialExecutor {
    /// The only loop of this process.
    static let shared = SocketLoop()
    /// After how many jobs and calls, at the latest, the loop checks the sockets again.
    private static let maximumWorkCount = 100

    /// A socket and the handlers that the loop calls when it is ready.
    final class Watch: Sendable {
        fileprivate let socket: Int32
        fileprivate let onReadable: @Sendable () -> Void
        fileprivate let onWritable: @Sendable () -> Void
        fileprivate let isWaitingToWrite = Atomic(false)

        fileprivate init(
            _ socket: Int32,
            onReadable: @escaping @Sendable () -> Void,
            onWritable: @escaping @Sendable () -> Void
        ) {
            self.socket = socket
            self.onReadable = onReadable
            self.onWritable = onWritable
        }
    }

    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct State {
        var work: [Work] = []
        /// Whether the thread waits in `poll`, which a byte in the pipe ends.
        var isAsleep = false
        var watches: [Int32: Watch] = [:]
        /// Whether the sockets for `poll` have changed since the last call.
        var hasChanged = true
        var thread: ObjectIdentifier?
    }

    private let state = Mutex(State())
    private let wakeReader: Int32
    private let wakeWriter: Int32

    private init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "no pipe can be opened; raise the limit of open files")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        let thread = Thread { self.run() }
        // Linux limits thread names to 15 characters.
        thread.name = "postgresql-loop"
        let identifier = ObjectIdentifier(thread)
        state.withLock { $0.thread = identifier }
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    /// Calls a closure on the loop, outside any task.
    func perform(_ call: @escaping @Sendable () -> Void) {
        add(.call(call))
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "this is not the event loop")
    }

    func isIsolatingCurrentContext() -> Bool? {
        state.withLock { $0.thread } == ObjectIdentifier(Thread.current)
    }

    /// Watches a socket until `unwatch`, which must be called before the socket is closed.
    ///
    /// - Parameters:
    ///   - socket: the socket.
    ///   - onReadable: called while the socket has input, including its end.
    ///   - onWritable: called while the socket can take output and `watchWriting` requested it.
    /// - Returns: the watch.
    func watch(
        _ socket: Int32,
        onReadable: @escaping @Sendable () -> Void,
        onWritable: @escaping @Sendable () -> Void
    ) -> Watch {
        let watch = Watch(socket, onReadable: onReadable, onWritable: onWritable)
        change { $0.watches[socket] = watch }
        return watch
    }

    /// Sets whether the loop calls the watch's `onWritable`.
    func watchWriting(_ watch: Watch, _ isWanted: Bool) {
        guard watch.isWaitingToWrite.exchange(isWanted, ordering: .relaxed) != isWanted else {
            return
        }
        change { _ in }
    }

    /// Ends a watch, but not that of a newer socket with the same number.
    func unwatch(_ watch: Watch) {
        change { state in
            guard state.watches[watch.socket] === watch else { return }
            state.watches[watch.socket] = nil
        }
    }
}

extension SocketLoop {
    private func add(_ work: Work) {
        let wakes = state.withLock { state in
            state.work.append(work)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wakes { wake() }
    }

    private func change(_ change: (inout State) -> Void) {
        let wakes = state.withLock { state in
            change(&state)
            state.hasChanged = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wakes { wake() }
    }

    /// Wakes the thread; ignores a full pipe, which has already woken it.
    private func wake() {
        var byte: UInt8 = 1
        _ = write(wakeWriter, &byte, 1)
    }

    private func run() -> Never {
        var descriptors: [pollfd] = []
        // Swapping two lists keeps the capacity of both.
        var work: [Work] = []
        while true {
            carryOutAll(&work)
            let waits = state.withLock { state in
                if state.hasChanged {
                    descriptors = self.descriptors(of: state)
                    state.hasChanged = false
                }
                state.isAsleep = state.work.isEmpty
                return state.isAsleep
            }
            let count = poll(&descriptors, nfds_t(descriptors.count), waits ? -1 : 0)
            state.withLock { $0.isAsleep = false }
            if count > 0 { answer(descriptors) }
        }
    }

    /// Runs all queued work and the work that it adds, up to a limit because the sockets wait meanwhile.
    private func carryOutAll(_ work: inout [Work]) {
        var count = 0
        repeat {
            work.removeAll(keepingCapacity: true)
            state.withLock { swap(&$0.work, &work) }
            run(work)
            count += work.count
        } while !work.isEmpty && count < Self.maximumWorkCount
        work.removeAll(keepingCapacity: true)
    }

    private func run(_ work: [Work]) {
        for item in work {
            switch item {
            case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .call(let call): call()
            }
        }
    }

    private func descriptors(of state: borrowing State) -> [pollfd] {
        var descriptors = [pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0)]
        for watch in state.watches.values {
            let writes = watch.isWaitingToWrite.load(ordering: .relaxed)
            let events = Int16(POLLIN) | (writes ? Int16(POLLOUT) : 0)
            descriptors.append(pollfd(fd: watch.socket, events: events, revents: 0))
        }
        return descriptors
    }

    private func answer(_ descriptors: [pollfd]) {
        if descriptors[0].revents != 0 { emptyPipe() }
        for descriptor in descriptors.dropFirst() where descriptor.revents != 0 {
            guard let watch = state.withLock({ $0.watches[descriptor.fd] }) else { continue }
            // Reading also reports an end or an error.
            if descriptor.revents & ~Int16(POLLOUT) != 0 { watch.onReadable() }
            if descriptor.revents & Int16(POLLOUT) != 0 { watch.onWritable() }
        }
    }

    /// Reads the pipe, which usually has one byte; `poll` returns again for the rest.
    private func emptyPipe() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            _ = read(wakeReader, bytes.baseAddress, bytes.count)
        }
    }
}
