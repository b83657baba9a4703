import AppleEmulator
import AppleIdentity
import Logging
import ServiceLifecycle
import Synchronization

/// Posts notifications to developers' servers as soon as each is due.
///
/// It sleeps until a notification is queued, the clock is moved, or the next one is due.
struct NotificationSender: Service {
    static let maximumConcurrency = 8

    let emulator: AppleEmulator
    let time: TimeSource
    let logger: Logger

    /// Sends until the service shuts down, which cancels and records the running attempts.
    func run() async throws { await cancelWhenGracefulShutdown { await sendWhatIsDue() } }

    private func sendWhatIsDue() async {
        let freeCount = Counter(Self.maximumConcurrency)
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for request in await emulator.takeDueDeliveries(maximumCount: freeCount.value) {
                    freeCount.add(-1)
                    group.addTask {
                        let reply = await NotificationPost(time: time).send(request)
                        report(reply, to: request)
                        freeCount.add(1)
                        await emulator.record(reply, of: request)
                    }
                }
                await pause(untilDue: freeCount.value > 0)
            }
        }
    }

    /// Waits for the signal, which is also sent after each attempt, or for the next due time.
    private func pause(untilDue: Bool) async {
        let delay = untilDue ? await emulator.nextDeliveryDelay() : nil
        await withTaskGroup { group in
            group.addTask { await emulator.deliverySignal.wait() }
            if let delay {
                // A sleep that is cancelled ends the pause as well.
                group.addTask { try? await time.sleep(for: delay) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func report(_ reply: DeliveryReply, to request: DeliveryRequest) {
        var metadata: Logger.Metadata = ["notification": "\(request.number)"]
        switch reply {
        case .answer(status: 200, _): logger.info("a notification was received", metadata: metadata)
        case .answer(let status, _):
            metadata["status"] = "\(status)"
            logger.warning("a notification was not received", metadata: metadata)
        case .failure(NotificationPost.stopped):
            logger.info("the delivery of a notification was interrupted", metadata: metadata)
        case .failure(let problem):
            metadata["error"] = "\(problem)"
            logger.warning("a notification was not received", metadata: metadata)
        }
    }

    private final class Counter: Sendable {
        private let count: Mutex<Int>

        init(_ count: Int) { self.count = Mutex(count) }

        var value: Int { count.withLock(\.self) }

        func add(_ difference: Int) { count.withLock { $0 += difference } }
    }
}
