import AppleIdentity
import Foundation

package struct OutgoingMail: Sendable {
    package let number: Int
    package let sender: MailAddress
    package let recipient: MailAddress
    package let content: [UInt8]
}

package struct MailReply: Hashable, Sendable {
    package var code: Int
    /// The enhanced status code of RFC 3463; nil if there is none, as in greetings.
    package var status: String?
    package var text: String

    package init(_ code: Int, _ status: String?, _ text: String) {
        (self.code, self.status, self.text) = (code, status, text)
    }

    package var line: String { "\(code) " + (status.map { $0 + " " } ?? "") + text }
}

/// The SMTP envelope of a mail: sender and recipients, independent of its header.
package struct MailEnvelope: Hashable, Sendable {
    /// The name with which the client introduced itself.
    package let clientName: String
    /// The address for failure reports; nil for mail without one.
    package let sender: MailAddress?
    package let recipients: [MailAddress]

    package init(clientName: String, sender: MailAddress?, recipients: [MailAddress]) {
        (self.clientName, self.sender, self.recipients) = (clientName, sender, recipients)
    }
}

struct MailBounce {
    var number: Int = 0
    var time: Date = .distantPast
    var sender: MailAddress?
    var recipient: MailAddress = .unknown
    /// The person with the recipient's address; nil if it is unknown.
    var personID: PersonID?
    var person: String?
    var refusal = MailRefusal(reply: MailReply(0, nil, ""), reason: "", hint: "")
    /// The mail; empty if the recipient was refused before it was sent.
    var content = Data()
    var headline: JSONObject = [:]

    var summary: JSONObject {
        var object: JSONObject = [
            "id": .integer(number), "number": .integer(number),
            "time": .string(time.formatted(.iso8601)),
            "envelope_sender": .string(sender?.text ?? ""), "to": .string(recipient.text),
        ]
        for name in ["from", "subject"] { object[name] = headline[name] }
        object["byte_count"] = .integer(content.count)
        object["person"] = person.map { .string($0) }
        object["smtp"] = .string(refusal.reply.line)
        object["reason"] = .string(refusal.reason)
        object["hint"] = .string(refusal.hint)
        return object
    }

    var object: JSONObject { summary.merging(MailContent.document(of: content)) }
}

/// Mail copied from the store, to encode it without blocking the emulator.
struct MailList {
    let inbox: [InboxMail]
    let sent: [SentMail]
    let bounces: [MailBounce]

    var isEmpty: Bool { inbox.isEmpty && sent.isEmpty && bounces.isEmpty }

    var object: JSONObject {
        [
            "messages": .array(inbox.map { .object($0.summary) }),
            "sent": .array(sent.map { .object($0.object) }),
            "bounces": .array(bounces.map { .object($0.summary) }),
        ]
    }
}
