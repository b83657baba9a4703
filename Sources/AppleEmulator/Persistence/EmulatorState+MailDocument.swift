import AppleIdentity
import Foundation

extension EmulatorState {
    func writeMail(to document: inout StateDocument) {
        document["last_mail_number"] = .integer(mail.lastNumber)
        document["mail"] = .array(mail.inbox.map { .object($0.document) })
        document["sent_mail"] = .array(mail.sent.map { .object($0.document) })
        document["mail_bounces"] = .array(mail.bounces.map { .object($0.document) })
        document["mail_aliases"] = .array(
            mail.aliases.entries.map {
                ["relay_and_sender": .string($0.key), "alias": .string($0.value.text)]
            }
        )
        document["mail_counts"] = .array(
            mail.dailyCounts.sorted { $0.key < $1.key }.map {
                [
                    "relay_email": .string($0.key), "day": .integer(mail.day),
                    "count": .integer($0.value),
                ]
            }
        )
    }

    mutating func readMail(
        _ document: StateDocument,
        _ fields: FieldReader
    ) throws(ControlRefusal) {
        mail.lastNumber = try fields.counter("last_mail_number")
        try document.each("mail") { object throws(ControlRefusal) in
            mail.add(try InboxMail(restoring: object))
        }
        try document.each("sent_mail") { object throws(ControlRefusal) in
            mail.add(try SentMail(restoring: object))
        }
        try document.each("mail_bounces") { object throws(ControlRefusal) in
            mail.add(try MailBounce(restoring: object))
        }
        try document.each("mail_aliases") { object throws(ControlRefusal) in
            let fields = try FieldReader(object, known: ["relay_and_sender", "alias"])
            let name = "relay_and_sender"
            let key = try fields.require(name, fields.opaque(name))
            guard mail.aliases[key] == nil else { throw .twice(name) }
            mail.aliases.insert(try fields.mailAddress("alias"), for: key)
        }
        try document.each("mail_counts") { object throws(ControlRefusal) in
            let fields = try FieldReader(object, known: ["relay_email", "day", "count"])
            mail.day = try fields.integer("day", in: Int.min...Int.max)
            mail.dailyCounts[try fields.mailAddress("relay_email").key] =
                try fields.counter("count")
        }
    }
}

extension InboxMail {
    fileprivate var document: JSONObject {
        var object: JSONObject = [
            "id": .integer(number), "time": .time(time), "person_id": .person(personID),
            "person": .string(person), "delivered_to": .string(deliveredTo),
        ]
        object["relay_email"] = relayAddress.map { .string($0.text) }
        object["team_id"] = teamID.map { .string($0.rawValue) }
        object["envelope_sender"] = sender.map { .string($0.text) }
        object["reply_to"] = replyTo.map { .string($0.text) }
        object.set("raw", bytes: content)
        return object
    }

    fileprivate init(restoring object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: [
                "id", "time", "person_id", "person", "delivered_to", "relay_email",
                "team_id", "envelope_sender", "reply_to", "raw", "raw_base64",
            ]
        )
        let content = try fields.bytes("raw")
        self.init(
            number: try fields.integer("id", in: 1...Int.max),
            time: try fields.time("time"),
            personID: try fields.personID(),
            person: try fields.text("person"),
            deliveredTo: try fields.text("delivered_to"),
            relayAddress: try fields.optionalMailAddress("relay_email"),
            teamID: try fields.optionalText("team_id").map { TeamID($0) },
            sender: try fields.optionalMailAddress("envelope_sender"),
            replyTo: try fields.optionalMailAddress("reply_to"),
            content: content,
            headline: InboxMail.headline(of: MailHeader(content))
        )
    }
}

extension SentMail {
    fileprivate var document: JSONObject {
        var object: JSONObject = [
            "id": .integer(number), "in_reply_to": .integer(inboxNumber), "time": .time(time),
            "person_id": .person(personID), "person": .string(person),
            "from": .string(sender.text), "to": .string(recipient.text),
        ]
        switch state {
        case .kept: object["state"] = "kept"
        // What nobody has heard the end of is handed on once more.
        case .pending, .underWay: object["state"] = "pending"
        case .sent(let answer):
            object["state"] = "sent"
            object["smtp"] = .string(answer)
        case .failed(let answer):
            object["state"] = "failed"
            object["smtp"] = .string(answer)
        }
        object.set("raw", bytes: content)
        return object
    }

    fileprivate init(restoring object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: [
                "id", "in_reply_to", "time", "person_id", "person", "from", "to", "state",
                "smtp", "raw", "raw_base64",
            ]
        )
        let answer = try fields.opaque("smtp") ?? ""
        let state: State
        switch try fields.text("state") {
        case "kept": state = .kept
        case "pending": state = .pending
        case "sent": state = .sent(answer)
        case "failed": state = .failed(answer)
        default: throw .wrong("state", "must be kept, pending, sent or failed")
        }
        let content = try fields.bytes("raw")
        self.init(
            number: try fields.integer("id", in: 1...Int.max),
            inboxNumber: try fields.integer("in_reply_to", in: 1...Int.max),
            time: try fields.time("time"),
            personID: try fields.personID(),
            person: try fields.text("person"),
            sender: try fields.mailAddress("from"),
            recipient: try fields.mailAddress("to"),
            text: MailContent(content).object["text"]?.stringValue ?? "",
            content: content,
            state: state
        )
    }
}

extension MailBounce {
    fileprivate var document: JSONObject {
        var object: JSONObject = ["id": .integer(number), "time": .time(time)]
        object["envelope_sender"] = sender.map { .string($0.text) }
        object["to"] = .string(recipient.text)
        object["person_id"] = personID.map { .person($0) }
        object["person"] = person.map { .string($0) }
        object["smtp_code"] = .integer(refusal.reply.code)
        object["smtp_status"] = refusal.reply.status.map { .string($0) }
        object["smtp_text"] = .string(refusal.reply.text)
        object["reason"] = .string(refusal.reason)
        object["hint"] = .string(refusal.hint)
        return object
    }

    fileprivate init(restoring object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: [
                "id", "time", "envelope_sender", "to", "person_id", "person", "smtp_code",
                "smtp_status", "smtp_text", "reason", "hint",
            ]
        )
        let reply = MailReply(
            try fields.integer("smtp_code", in: 200...599),
            try fields.optionalText("smtp_status"),
            try fields.opaque("smtp_text") ?? ""
        )
        self.init(
            number: try fields.integer("id", in: 1...Int.max),
            time: try fields.time("time"),
            sender: try fields.optionalMailAddress("envelope_sender"),
            recipient: try fields.mailAddress("to"),
            personID: fields.value("person_id") == nil ? nil : try fields.personID(),
            person: try fields.optionalText("person"),
            refusal: MailRefusal(
                reply: reply,
                reason: try fields.opaque("reason") ?? "",
                hint: try fields.opaque("hint") ?? ""
            )
        )
    }
}
