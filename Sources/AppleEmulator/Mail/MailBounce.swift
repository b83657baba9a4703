import AppleIdentity
import Foundation

/// A mail that was refused, with the answer its sender got.
struct MailBounce {
    var number: Int = 0
    var time: Date = .distantPast
    var sender: MailAddress?
    var recipient: MailAddress = .nobody
    /// Whose address it is; nil when it is nobody's.
    var personID: PersonID?
    var person: String?
    var refusal = MailRefusal(reply: MailReply(0, nil, ""), reason: "", hint: "")

    var object: JSONObject {
        var object: JSONObject = [
            "id": .integer(number),
            "time": .string(time.formatted(.iso8601)),
            "envelope_sender": .string(sender?.text ?? ""),
            "to": .string(recipient.text),
        ]
        object["person"] = person.map { .string($0) }
        object["smtp"] = .string(refusal.reply.line)
        object["reason"] = .string(refusal.reason)
        object["hint"] = .string(refusal.hint)
        return object
    }
}
