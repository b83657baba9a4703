import AppleIdentity
import Foundation

/// A mail in a person's inbox, as they see it.
struct InboxMail {
    var number: Int = 0
    var time: Date = .distantPast
    var personID: PersonID = .nobody
    /// The address by which the person signs in.
    var person: String = ""
    /// The address it was delivered to: the one that hidden mail is forwarded to, or the one written to.
    var deliveredTo: String = ""
    /// The relay address it was sent to; nil for mail to the real one.
    var relayAddress: MailAddress?
    var teamID: TeamID?
    /// The envelope's sender, before the relay.
    var sender: MailAddress?
    /// Where an answer goes to in the end; nil when the mail names nobody.
    var replyTo: MailAddress?
    var content: Data = Data()
    var headline: JSONObject = [:]

    /// Whom a mail is from and to, and what about, in the letters people read.
    static func headline(of header: MailHeader) -> JSONObject {
        var object: JSONObject = [:]
        for name in ["From", "Reply-To", "To", "Subject"] {
            let member = name.lowercased().replacing("-", with: "_")
            object[member] = header.first(name).map { .string(MailHeaderText.decoded($0)) }
        }
        return object
    }

    var summary: JSONObject {
        var object: JSONObject = [
            "id": .integer(number), "number": .integer(number),
            "time": .string(time.formatted(.iso8601)), "person": .string(person),
            "delivered_to": .string(deliveredTo),
        ]
        object["relay_email"] = relayAddress.map { .string($0.text) }
        object["team_id"] = teamID.map { .string($0.rawValue) }
        object["envelope_sender"] = .string(sender?.text ?? "")
        return object.merging(headline).merging(["byte_count": .integer(content.count)])
    }

    var object: JSONObject {
        var object = summary
        object["headers"] = .array(
            MailHeader(content).fields.map { field in
                [
                    "name": .string(field.name),
                    "value": .string(MailHeaderText.decoded(field.value)),
                ]
            }
        )
        let raw = JSONValue.string(String(decoding: content, as: UTF8.self))
        return object.merging(MailContent(content).object).merging(["raw": raw])
    }
}
