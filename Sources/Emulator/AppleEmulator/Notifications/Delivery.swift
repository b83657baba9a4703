import AppleIdentity
import Foundation

/// A notification for a developer's server, and its state.
struct Delivery {
    enum State: Hashable {
        /// It is sent at this time of the emulator's clock, or is being sent.
        case pending(dueAt: Date)
        case delivered
        /// All attempts failed.
        case givenUp(reason: String)
        /// It was not sent and never will be.
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
    /// The URL; nil if the app has none for notifications.
    var url: String?
    var state: State
    /// The number of the delivery with the same body, if this one is a duplicate.
    var originalNumber: Int?
    var number = 0
    /// Whether it is about a person of `siwa check`.
    var isOfCheck = false
    var isUnderWay = false
    var attempts: [DeliveryAttempt] = []

    var dueAt: Date? {
        if case .pending(let dueAt) = state { dueAt } else { nil }
    }

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
        object["of_check"] = isOfCheck ? true : nil
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

/// One attempt to deliver a notification to a developer's server.
public struct DeliveryRequest: Hashable, Sendable {
    /// The ID of the delivery, which is not used again after a reset.
    public let id: UUID
    /// The delivery's number in the list of notifications.
    public let number: Int
    /// The URL to which the body is posted.
    public let url: String
    /// The JSON body with the signed notification.
    public let body: Data
}

/// The result of one delivery attempt.
public enum DeliveryReply: Hashable, Sendable {
    /// A response, with at least the first bytes of its body.
    case answer(status: Int, body: Data)
    /// No response; the string describes the failure.
    case failure(String)
}

/// One attempt to deliver a notification, with its result.
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

    /// Whether the status is 200, the only one that Apple accepts.
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

    /// The reason why a response does not count as received.
    private func problem(of status: Int) -> String? {
        switch status {
        case 200: nil
        case 201..<300: "Apple accepts only status 200"
        case 300..<400: "redirects are not followed"
        default: "the server did not accept it"
        }
    }
}
