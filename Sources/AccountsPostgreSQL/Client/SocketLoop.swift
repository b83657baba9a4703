import Foundation
import Synchronization

/// The event loop on which every connection to PostgreSQL lives: one thread that waits for all sockets at once, and runs
/// whatever actors have it as their executor, and tasks while they wait for the server.
///
/// libpq reads its socket itself, which the event loops of SwiftNIO leave to nobody else. Actors that share this loop call
/// each other without a change of threads.
///
/// Source: [poll](https://pubs.opengroup.org/onlinepubs/9799919799/functions/poll.html)
final class SocketLoop: SerialExecutor {
    /// The loop of this process.
    static let shared = SocketLoop()
    /// After how many jobs and calls the sockets are looked at again, at the latest.
    private static let maximumWorkCount = 100

    /// A socket and what to call when it is ready; the calls are made on the loop.
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
        /// Whether the thread waits in `poll`, from which only a byte in the pipe gets it.
        var isAsleep = false
        var watches: [Int32: Watch] = [:]
        /// Whether `poll` has to be told of other sockets than the last time.
        var hasChanged = true
        var thread: ObjectIdentifier?
    }

    private let state = Mutex(State())
    private let wakeReader: Int32
    private let wakeWriter: Int32

    private init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "a process needs two files for its pipe")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        let thread = Thread { self.run() }
        // Linux shows at most fifteen characters.
        thread.name = "postgresql-loop"
        let identifier = ObjectIdentifier(thread)
        state.withLock { $0.thread = identifier }
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    /// Calls something on the loop, and in no task.
    func perform(_ call: @escaping @Sendable () -> Void) {
        add(.call(call))
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "this is not the event loop")
    }

    func isIsolatingCurrentContext() -> Bool? {
        state.withLock { $0.thread } == ObjectIdentifier(Thread.current)
    }

    /// Watches over a socket, until `unwatch`, which has to come before the socket is closed.
    ///
    /// - Parameters:
    ///   - socket: the socket.
    ///   - onReadable: called as long as there is something to read, the end included.
    ///   - onWritable: called as long as there is room for output and `watchWriting` asked for it.
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

    /// Whether room for output is of interest.
    func watchWriting(_ watch: Watch, _ isWanted: Bool) {
        guard watch.isWaitingToWrite.exchange(isWanted, ordering: .relaxed) != isWanted else {
            return
        }
        change { _ in }
    }

    /// Ends a watch; the same number may be another socket's by now, whose watch stays.
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

    /// A pipe that is full has woken the thread already.
    private func wake() {
        var byte: UInt8 = 1
        _ = write(wakeWriter, &byte, 1)
    }

    private func run() -> Never {
        var descriptors: [pollfd] = []
        // The two lists take turns, so that neither has to grow again.
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

    /// Carries out what there is and what comes of it; the sockets wait meanwhile, so that there is a limit.
    private func carryOutAll(_ work: inout [Work]) {
        var count = 0
        repeat {
            work.removeAll(keepingCapacity: true)
            state.withLock { swap(&$0.work, &work) }
            carryOut(work)
            count += work.count
        } while !work.isEmpty && count < Self.maximumWorkCount
        work.removeAll(keepingCapacity: true)
    }

    private func carryOut(_ work: [Work]) {
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
            // An end or an error is read as well.
            if descriptor.revents & ~Int16(POLLOUT) != 0 { watch.onReadable() }
            if descriptor.revents & Int16(POLLOUT) != 0 { watch.onWritable() }
        }
    }

    /// Most often there is one byte; `poll` tells when there are more than are read here.
    private func emptyPipe() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            _ = read(wakeReader, bytes.baseAddress, bytes.count)
        }
    }
}
