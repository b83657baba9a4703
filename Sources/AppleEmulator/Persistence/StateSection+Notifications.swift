import AppleIdentity
import Foundation

extension StateSection {
    /// The notifications that were made.
    static let notifications: [StateSection] = [
        .value("last_notification_number", \.deliveries.lastNumber, .count),
        .list("notifications", Delivery.schema) {
            $0.deliveries.deliveries
        } _: {
            delivery,
            state throws(ControlRefusal) in
            try state.deliveries.restore(delivery)
        },
    ]
}

extension Delivery {
    fileprivate static let schema = Schema(
        Delivery(SignedNotification(), madeAt: .distantPast, url: nil, state: .delivered),
        [
            .required("number", \.number, .count),
            .required("time", \.madeAt, .time),
            .optional("url", \.url, .text),
            .optional("duplicate_of", \.originalNumber, .count),
            SchemaField(
                names: ["state", "due_at", "reason"],
                read: { reader, delivery throws(ControlRefusal) in
                    delivery.state = try State(reader)
                },
                write: { delivery, members in members += delivery.state.members }
            ),
            .usual("attempts", \.attempts, .list(of: DeliveryAttempt.schema)),
        ] + SignedNotification.schema.fields.map { $0.within(\.notification) }
    )
}

extension Delivery.State {
    fileprivate var members: [JSONObject.Member] {
        let state = JSONObject.Member(name: "state", value: .string(name))
        switch self {
        case .delivered: return [state]
        case .pending(let dueAt):
            return [state, .init(name: "due_at", value: ValueForm.time.write(dueAt))]
        case .givenUp(let reason), .notSent(let reason):
            return [state, .init(name: "reason", value: .string(reason))]
        }
    }

    fileprivate init(_ fields: FieldReader) throws(ControlRefusal) {
        let reason = try fields.optionalText("reason") ?? ""
        switch try fields.text("state") {
        case "pending":
            self = .pending(
                dueAt: try fields.require("due_at", ValueForm.time.read(fields, "due_at"))
            )
        case "delivered": self = .delivered
        case "given_up": self = .givenUp(reason: reason)
        case "not_sent": self = .notSent(reason: reason)
        default: throw .wrong("state", "must be pending, delivered, given_up or not_sent")
        }
    }
}

extension DeliveryAttempt {
    fileprivate static let schema = Schema(
        DeliveryAttempt(time: .distantPast, reply: .failure("")),
        [
            .required("time", \.time, .time),
            SchemaField(
                names: ["status", "body", "body_base64", "error"],
                read: { reader, attempt throws(ControlRefusal) in
                    if let problem = try reader.optionalText("error") {
                        attempt.reply = .failure(problem)
                        return
                    }
                    let status = try reader.optionalInteger("status", in: 0...999)
                    attempt.reply = .answer(
                        status: try reader.require("status", status),
                        body: try reader.bytes("body")
                    )
                },
                write: { attempt, members in
                    switch attempt.reply {
                    case .answer(let status, let body):
                        members.add("status", .integer(status))
                        members.add("body", bytes: body)
                    case .failure(let problem): members.add("error", .string(problem))
                    }
                }
            ),
        ]
    )
}

extension SignedNotification {
    fileprivate static let schema = Schema(
        SignedNotification(),
        [
            .required("client_id", \.clientID, .identifier),
            .required("type", \.event.kind, .identifier),
            .required("sub", \.event.userID, .identifier),
            .required("event_time", \.event.time, .time),
            .optional("email", \.event.email, .text),
            .optional("malformed", \.defect, .choice),
            .required("claims", \.claims, .members),
            .bytes("body", \.body),
        ]
    )
}
