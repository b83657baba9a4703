import AppleIdentity
import Foundation

extension StateSection {
    /// Inboxes, replies, bounces and the relay's aliases and counts.
    static let mail: [StateSection] = [
        .value("last_mail_number", \.mail.lastNumber, .count),
        .list("mail", InboxMail.schema, \.mail.inbox) { mail, state in
            var mail = mail
            mail.headline = InboxMail.headline(of: MailHeader(mail.content))
            state.mail.add(mail)
        },
        .list("sent_mail", SentMail.schema, \.mail.sent) { sent, state in
            var sent = sent
            // Earlier versions stored the text only in the mail.
            if sent.text.isEmpty {
                sent.text = MailContent(sent.content).object["text"]?.stringValue ?? ""
            }
            state.mail.add(sent)
        },
        .list("mail_bounces", MailBounce.schema, \.mail.bounces) { bounce, state in
            var bounce = bounce
            bounce.headline = InboxMail.headline(of: MailHeader(bounce.content))
            state.mail.add(bounce)
        },
        .table("mail_aliases", key: "relay_and_sender", MailAddress.aliasSchema, \.mail.aliases),
        .list("mail_counts", KeptCount.schema, \.mail.keptCounts) { stored, state in
            state.mail.day = stored.day
            state.mail.dailyCounts[stored.address] = stored.count
        },
    ]
}

extension InboxMail {
    fileprivate static let schema = ObjectSchema(
        InboxMail(),
        .required("id", \.number, .count),
        .required("time", \.time, .time),
        .optional("person_id", \.personID, .anybody),
        .optional("person", \.person, .text),
        .required("delivered_to", \.deliveredTo, .text),
        .optional("relay_email", \.relayAddress, .mailAddress),
        .optional("team_id", \.teamID, .identifier),
        .optional("envelope_sender", \.sender, .mailAddress),
        .optional("reply_to", \.replyTo, .mailAddress),
        .usual("is_read", \.isRead, .boolean),
        .bytes("raw", \.content)
    )
}

extension SentMail {
    fileprivate static let schema = ObjectSchema(
        SentMail(),
        .required("id", \.number, .count),
        .required("in_reply_to", \.inboxNumber, .count),
        .required("time", \.time, .time),
        .optional("person_id", \.personID, .anybody),
        .optional("person", \.person, .text),
        .required("from", \.sender, .mailAddress),
        .required("to", \.recipient, .mailAddress),
        .usual("text", \.text, .text),
        SchemaField(
            names: ["state", "smtp"],
            read: { reader, sent throws(ControlRefusal) in sent.state = try State(reader) },
            write: { sent, members in
                // Mail without a known result is sent again.
                let state = sent.state == .underWay ? .pending : sent.state
                members.add("state", .string(state.name))
                members.add("smtp", state.answer.map { .string($0) })
            }
        ),
        .bytes("raw", \.content)
    )
}

extension SentMail.State {
    fileprivate init(_ fields: FieldReader) throws(ControlRefusal) {
        let answer = try fields.optionalText("smtp") ?? ""
        switch try fields.text("state") {
        case "kept": self = .kept
        case "pending": self = .pending
        case "sent": self = .sent(answer)
        case "failed": self = .failed(answer)
        default: throw .wrong("state", "must be kept, pending, sent or failed")
        }
    }
}

extension MailBounce {
    fileprivate static let schema = ObjectSchema(
        MailBounce(),
        .required("id", \.number, .count),
        .required("time", \.time, .time),
        .optional("envelope_sender", \.sender, .mailAddress),
        .required("to", \.recipient, .mailAddress),
        .optional("person_id", \.personID, .anybody),
        .optional("person", \.person, .text),
        .required("smtp_code", \.refusal.reply.code, .integer(in: 200...599)),
        .optional("smtp_status", \.refusal.reply.status, .text),
        .usual("smtp_text", \.refusal.reply.text, .text),
        .usual("reason", \.refusal.reason, .text),
        .usual("hint", \.refusal.hint, .text),
        SchemaField(
            names: ["raw", "raw_base64"],
            read: { reader, bounce throws(ControlRefusal) in
                // Earlier versions did not store refused mail.
                let isStored = reader.value("raw") != nil || reader.value("raw_base64") != nil
                if isStored { bounce.content = try reader.bytes("raw") }
            },
            write: { $1.add("raw", bytes: $0.content) }
        )
    )
}

extension MailAddress {
    fileprivate static let aliasSchema = ObjectSchema(
        MailAddress.unknown,
        .required("alias", \.self, .mailAddress)
    )
}

extension MailStore {
    fileprivate var keptCounts: [KeptCount] {
        dailyCounts.sorted { $0.key < $1.key }
            .map { KeptCount(address: $0.key, day: day, count: $0.value) }
    }
}

private struct KeptCount {
    var address = ""
    var day = 0
    var count = 0

    static let schema = ObjectSchema(
        KeptCount(),
        .required("relay_email", \.address, .text),
        .required("day", \.day, .integer(in: Int.min...Int.max)),
        .required("count", \.count, .count)
    )
}

extension StateSection {
    static let notifications: [StateSection] = [
        .value("last_notification_number", \.deliveries.lastNumber, .count),
        .list("notifications", Delivery.schema, \.deliveries.deliveries) {
            try $1.deliveries.restore($0)
        },
    ]
}

extension Delivery {
    fileprivate static let schema = ObjectSchema(
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
        .usual("of_check", \.isOfCheck, .boolean) { $0 },
        SchemaField(
            names: ["state", "due_at", "reason"],
            read: { reader, delivery throws(ControlRefusal) in delivery.state = try State(reader) },
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
    fileprivate static let schema = ObjectSchema(
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
    fileprivate static let schema = ObjectSchema(
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
