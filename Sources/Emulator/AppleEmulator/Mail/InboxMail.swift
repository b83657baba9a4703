import AppleIdentity
import Foundation

/// A delivered mail.
struct InboxMail {
    var number: Int = 0
    var time: Date = .distantPast
    /// The person with the address; nil if no person has it.
    var personID: PersonID?
    /// The person's primary email address.
    var person: String?
    /// The address to which the mail was delivered; for a relay address, the person's forwarding address.
    var deliveredTo: String = ""
    /// The relay address it was sent to; nil for a real address.
    var relayAddress: MailAddress?
    var teamID: TeamID?
    /// The envelope's sender before the relay.
    var sender: MailAddress?
    /// The original address for a reply; nil if the mail has none.
    var replyTo: MailAddress?
    var content: Data = Data()
    /// Whether the console has shown the message.
    var isRead = false
    var headline: JSONObject = [:]

    /// Sender, recipients and subject of a mail, decoded.
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
            "time": .string(time.formatted(.iso8601)), "delivered_to": .string(deliveredTo),
            "is_read": .boolean(isRead),
        ]
        object["person"] = person.map { .string($0) }
        object["relay_email"] = relayAddress.map { .string($0.text) }
        object["team_id"] = teamID.map { .string($0.rawValue) }
        object["envelope_sender"] = .string(sender?.text ?? "")
        return object.merging(headline).merging(["byte_count": .integer(content.count)])
    }

    var object: JSONObject { summary.merging(MailContent.document(of: content)) }
}
