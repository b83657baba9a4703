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
    var endsAt: Date { madeAt.addingTimeInterval(TimeInterval(NotificationDraft.lifetimeSeconds)) }

    var object: JSONObject {
        var object: JSONObject = [
            "number": .integer(number), "time": .string(madeAt.formatted(.iso8601)),
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

/// One attempt to deliver a notification, and the receiver's answer.
struct DeliveryAttempt {
    static let maximumBodyByteCount = 1_024
    private static let maximumProblemCharacterCount = 256

    var time: Date
    var reply: DeliveryReply

    init(time: Date, reply: DeliveryReply) {
        self.time = time
        self.reply =
            switch reply {
            case .answer(let status, let body):
                .answer(status: status, body: Data(body.prefix(Self.maximumBodyByteCount)))
            case .failure(let problem):
                .failure(String(problem.prefix(Self.maximumProblemCharacterCount)))
            }
    }

    /// Apple counts a notification as received when the answer is 200, no other status.
    ///
    /// Source: [Apple's reply to a report](https://developer.apple.com/forums/thread/811848)
    var isReceived: Bool {
        if case .answer(status: 200, _) = reply { true } else { false }
    }

    var object: JSONObject {
        var object: JSONObject = ["time": .string(time.formatted(.iso8601))]
        switch reply {
        case .answer(let status, let body):
            object["status"] = .integer(status)
            let text = String(decoding: body, as: UTF8.self)
            object["body"] = .string(Redaction.redacted(text))
            object["error"] = problem(of: status).map { .string($0) }
        case .failure(let problem): object["error"] = .string(Redaction.redacted(problem))
        }
        return object
    }

    /// Why an answer does not count as received.
    private func problem(of status: Int) -> String? {
        switch status {
        case 200: nil
        case 201..<300: "Apple counts 200 as received, no other status"
        case 300..<400: "redirects are not followed"
        default: "the server did not take it"
        }
    }
}
