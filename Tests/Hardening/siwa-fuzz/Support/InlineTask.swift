import Foundation
import Synchronization

/// Runs asynchronous work on the calling thread and waits for it.
///
/// libFuzzer calls a plain function; a hop to another thread and back costs more than a whole test.
enum InlineTask {
    private final class Executor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    private static let executor = Executor()

    static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let outcome = Outcome<Value>()
        let done = DispatchSemaphore(value: 0)
        Task(executorPreference: executor) {
            let value = await body()
            outcome.value.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        guard let value = outcome.value.withLock({ $0 }) else { return run(body) }
        return value
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
