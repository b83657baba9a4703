import AppleIdentity
import Foundation

extension AppleEmulator {
    /// The notifications that were made, oldest first, each with the receiver's answers.
    package func notifications() -> [JSONObject] { currentState.deliveries.objects }

    /// Sends a notification, right or malformed, whatever people did.
    package func sendNotification(_ object: JSONObject) async throws(ControlRefusal) -> JSONObject {
        await prepareKeys()
        return try currentState.sendNotification(object)
    }

    /// How notifications are sent.
    package func notificationSettings() -> JSONObject { currentState.notificationSettings.object }

    /// Changes how notifications are sent, until a reset.
    package func changeNotificationSettings(
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        try currentState.notificationSettings.change(object)
        return currentState.notificationSettings.object
    }

    /// Takes notifications that are due; each waits until its outcome is recorded.
    ///
    /// - Parameter maximumCount: how many to take at most.
    /// - Returns: what to post where.
    public func takeDueDeliveries(maximumCount: Int) -> [DeliveryRequest] {
        currentState.deliveries.takeDue(at: currentState.clock.now, maximumCount: maximumCount)
    }

    /// Records what came of an attempt; one that failed is made again later, up to a limit.
    ///
    /// - Parameters:
    ///   - reply: the receiver's answer, or why there is none.
    ///   - request: what was taken; one of before a reset is ignored.
    public func record(_ reply: DeliveryReply, of request: DeliveryRequest) {
        let delivery = currentState.deliveries.record(
            DeliveryAttempt(time: currentState.clock.now, reply: reply),
            of: request.id,
            retryDelays: currentState.notificationSettings.retryDelays
        )
        if let delivery { currentState.flows.recordAttempt(of: delivery) }
    }

    /// How long it is until the next notification is due; nil when none waits.
    package func nextDeliveryDelay() -> Duration? {
        guard let dueTime = currentState.deliveries.nextDueTime else { return nil }
        return .seconds(max(dueTime.timeIntervalSince(currentState.clock.now), 0))
    }
}
