import AppleIdentity
import Foundation

extension StateSection {
    /// The notifications that were made.
    static let notifications: [StateSection] = [
        .value("last_notification_number", \.deliveries.lastNumber, .count),
        .list("notifications", Delivery.schema, \.deliveries.deliveries) {
            delivery,
            state throws(ControlRefusal) in
            try state.deliveries.restore(delivery)
        },
    ]
}

extension Delivery {
    fileprivate static let schema = Schema(
        Delivery(
            notification: SignedNotification(),
            madeAt: .distantPast,
            url: nil,
            state: .delivered
        ),
        .required("number", \.number, .count),
        .required("time", \.madeAt, .time),
        .optional("url", \.url, .text),
        .optional("duplicate_of", \.originalNumber, .count),
        SchemaField(
            names: ["state", "due_at", "reason"],
            read: { reader, delivery throws(ControlRefusal) in
                delivery.state = try State(reader)
            },
            write: { delivery, members in delivery.state.write(to: &members) }
        ),
        .usual("attempts", \.attempts, .list(of: DeliveryAttempt.schema)),
        .part(\.notification, SignedNotification.schema)
    )
}

extension Delivery.State {
    fileprivate func write(to members: inout [JSONObject.Member]) {
        members.add("state", .string(name))
        if case .pending(let dueAt) = self { members.add("due_at", ValueForm.time.write(dueAt)) }
        if let reason { members.add("reason", .string(reason)) }
    }

    fileprivate init(_ fields: FieldReader) throws(ControlRefusal) {
        let reason = try fields.optionalText("reason") ?? ""
        switch try fields.text("state") {
        case "pending":
            self = .pending(dueAt: try fields.require("due_at", fields.read("due_at", .time)))
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
        .required("time", \.time, .time),
        SchemaField(
            names: ["status", "body", "body_base64", "error"],
            read: { reader, attempt throws(ControlRefusal) in
                if let problem = try reader.optionalText("error") {
                    attempt.reply = .failure(problem)
                    return
                }
                let status = try reader.read("status", .integer(in: 0...999))
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
        )
    )
}

extension SignedNotification {
    fileprivate static let schema = Schema(
        SignedNotification(),
        .required("client_id", \.clientID, .identifier),
        .required("type", \.event.kind, .identifier),
        .required("sub", \.event.userID, .identifier),
        .required("event_time", \.event.time, .time),
        .optional("email", \.event.email, .text),
        .optional("malformed", \.defect, .choice),
        .required("claims", \.claims, .members),
        .bytes("body", \.body)
    )
}
