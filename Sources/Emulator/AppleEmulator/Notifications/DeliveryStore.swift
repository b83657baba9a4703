import AppleIdentity
import Foundation

struct DeliveryStore {
    /// The maximum number of stored notifications; the oldest finished ones are removed first.
    static let maximumDeliveryCount = 1_000
    /// The maximum number of pending notifications; further ones are not sent, with a reason.
    static let maximumPendingCount = 500

    private(set) var deliveries: [Delivery] = []
    /// Changes when a notification may have become due.
    private(set) var revision = 0
    var lastNumber = 0

    var objects: [JSONObject] { deliveries.map(\.object) }

    mutating func add(_ delivery: Delivery) -> Delivery {
        var delivery = delivery
        lastNumber += 1
        delivery.number = lastNumber
        let pendingCount = deliveries.count { $0.dueAt != nil }
        if delivery.dueAt != nil, pendingCount >= Self.maximumPendingCount {
            let reason = "\(Self.maximumPendingCount) notifications are already pending"
            delivery.state = .notSent(reason: reason)
        }
        deliveries.append(delivery)
        if deliveries.count > Self.maximumDeliveryCount,
            let index = deliveries.firstIndex(where: { $0.dueAt == nil })
        {
            deliveries.remove(at: index)
        }
        revision += 1
        return delivery
    }

    /// Returns due notifications, which are then under way until a result is recorded.
    mutating func takeDue(at time: Date, maximumCount: Int) -> [DeliveryRequest] {
        giveUpEnded(at: time)
        let due = deliveries.indices
            .filter { !deliveries[$0].isUnderWay && deliveries[$0].isDue(at: time) }
            .sorted {
                (deliveries[$0].dueAt ?? time, $0) < (deliveries[$1].dueAt ?? time, $1)
            }
        return due.prefix(maximumCount).compactMap { index in
            guard let url = deliveries[index].url else { return nil }
            deliveries[index].isUnderWay = true
            let delivery = deliveries[index]
            return DeliveryRequest(
                id: delivery.id,
                number: delivery.number,
                url: url,
                body: delivery.notification.body
            )
        }
    }

    /// The time at which the next notification is due; nil if none is pending.
    var nextDueTime: Date? { deliveries.lazy.filter { !$0.isUnderWay }.compactMap(\.dueAt).min() }

    /// Records the result of an attempt, and the time of the next one if it failed.
    ///
    /// - Returns: the notification with this attempt; nil if it is not under way.
    mutating func record(_ attempt: DeliveryAttempt, of id: UUID, retryDelays: [Int]) -> Delivery? {
        revision += 1
        guard let index = deliveries.firstIndex(where: { $0.id == id && $0.isUnderWay }) else {
            return nil
        }
        deliveries[index].isUnderWay = false
        deliveries[index].attempts.append(attempt)
        let count = deliveries[index].attempts.count
        deliveries[index].state =
            if attempt.isReceived { .delivered } else if count <= retryDelays.count {
                .pending(dueAt: attempt.time.addingTimeInterval(Double(retryDelays[count - 1])))
            } else {
                .givenUp(reason: "no attempt got a response with status 200")
            }
        return deliveries[index]
    }

    /// Updates the deliveries after the clock was moved.
    ///
    /// A pending notification from after the clock's new time is not sent.
    mutating func clockMoved(to time: Date) {
        for index in deliveries.indices
        where deliveries[index].madeAt > time && deliveries[index].attempts.isEmpty
            && deliveries[index].dueAt != nil && !deliveries[index].isUnderWay
        {
            let reason = "the clock was moved to a time before its creation"
            deliveries[index].state = .notSent(reason: reason)
        }
        revision += 1
    }

    /// Restores a delivery, which is not under way.
    mutating func restore(_ delivery: Delivery) throws(ControlRefusal) {
        guard !deliveries.contains(where: { $0.number == delivery.number }) else {
            throw .twice("number")
        }
        guard (1...max(lastNumber, 1)).contains(delivery.number) else {
            throw .wrong("number", "must be from 1 to last_notification_number")
        }
        guard delivery.dueAt == nil || delivery.url != nil else {
            throw .wrong("url", "is missing")
        }
        deliveries = deliveries.suffix(Self.maximumDeliveryCount - 1) + [delivery]
        revision += 1
    }

    private mutating func giveUpEnded(at time: Date) {
        for index in deliveries.indices
        where deliveries[index].dueAt != nil && !deliveries[index].isUnderWay
            && deliveries[index].endsAt <= time
        {
            let reason = "it expired before it was received"
            deliveries[index].state =
                deliveries[index].attempts.isEmpty
                ? .notSent(reason: reason) : .givenUp(reason: reason)
        }
    }
}

extension Delivery {
    fileprivate func isDue(at time: Date) -> Bool { dueAt.map { $0 <= time } ?? false }
}
