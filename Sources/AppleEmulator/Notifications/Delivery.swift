import AppleIdentity
import Foundation

/// A notification for a developer's server, and what became of it.
struct Delivery {
    enum State: Hashable {
        /// It is sent when Apple's clock shows this time, or is being sent.
        case pending(dueAt: Date)
        case delivered
        /// It was sent as often as Apple sends one.
        case givenUp(reason: String)
        /// It was never sent, and won't be.
        case notSent(reason: String)

        var name: String {
            switch self {
            case .pending: "pending"
            case .delivered: "delivered"
            case .givenUp: "given_up"
            case .notSent: "not_sent"
            }
        }

        var reason: String? {
            switch self {
            case .pending, .delivered: nil
            case .givenUp(let reason), .notSent(let reason): reason
            }
        }
    }

    let id = UUID()
    var notification: SignedNotification
    var madeAt: Date
    /// Where it goes; nil when the app has no address for notifications.
    var url: String?
    var state: State
    /// The delivery of which this one repeats the body.
    var originalNumber: Int?
    var number = 0
    var isUnderWay = false
    var attempts: [DeliveryAttempt] = []

    var dueAt: Date? {
        if case .pending(let dueAt) = state { dueAt } else { nil }
    }

    /// When it ends, and is of no use to anybody.
    var endsAt: Date {
        madeAt.addingTimeInterval(TimeInterval(NotificationDraft.lifetimeSeconds))
    }

    var object: JSONObject {
        var object: JSONObject = [
            "number": .integer(number),
            "time": .string(madeAt.formatted(.iso8601)),
            "type": .string(notification.event.kind.rawValue),
            "client_id": .string(notification.clientID.rawValue),
            "sub": .string(notification.event.userID.rawValue),
        ]
        object["email"] = notification.event.email.map { .string($0) }
        object["url"] = url.map { .string($0) }
        object["malformed"] = notification.defect.map { .string($0.rawValue) }
        object["duplicate_of"] = originalNumber.map { .integer($0) }
        object["state"] = .string(state.name)
        object["reason"] = state.reason.map { .string($0) }
        object["due_at"] = dueAt.map { .string($0.formatted(.iso8601)) }
        object["hint"] = url.flatMap(NotificationAddress.hint).map { .string($0) }
        object["claims"] = .object(notification.claims)
        object["attempts"] = .array(attempts.map { .object($0.object) })
        return object
    }
}

/// A notification on its way to a developer's server: one attempt.
public struct DeliveryRequest: Hashable, Sendable {
    /// Names the delivery, also where numbers begin again after a reset.
    public let id: UUID
    /// The delivery's number in the list of notifications.
    public let number: Int
    /// Where to post the body.
    public let url: String
    /// The JSON with the signed notification, as it goes over the wire.
    public let body: Data
}

/// What came of one attempt to deliver a notification.
public enum DeliveryReply: Hashable, Sendable {
    /// The server answered, with at least the first bytes of its body.
    case answer(status: Int, body: Data)
    /// There was no answer; why, in a few words.
    case failure(String)
}
