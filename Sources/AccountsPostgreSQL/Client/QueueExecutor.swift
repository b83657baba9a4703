import Dispatch

/// Runs an actor on a queue of its own, which also watches its socket.
///
/// libpq may block for a moment while it connects; the threads that serve requests must not.
final class QueueExecutor: SerialExecutor {
    let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// The handlers of the socket run on the queue, and in no task.
    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
