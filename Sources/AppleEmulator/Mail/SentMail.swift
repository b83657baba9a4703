import AppleIdentity
import Foundation

/// An answer a person wrote, after the relay.
struct SentMail {
    enum State: Hashable {
        /// No server is there to take it.
        case kept
        /// It is to be handed to the server for outgoing mail.
        case pending
        /// The server has it in hand.
        case underWay
        /// The server took it, with this answer.
        case sent(String)
        /// It did not, with this answer or for this reason.
        case failed(String)
    }

    let number: Int
    /// The mail that it answers.
    let inboxNumber: Int
    let time: Date
    let personID: PersonID
    let person: String
    /// Whom the receiver takes it to be from.
    let sender: MailAddress
    let recipient: MailAddress
    /// What the person wrote.
    let text: String
    let content: Data
    var state: State

    var object: JSONObject {
        var object: JSONObject = [
            "id": .integer(number),
            "in_reply_to": .integer(inboxNumber),
            "time": .string(time.formatted(.iso8601)),
            "person": .string(person),
            "from": .string(sender.text),
            "to": .string(recipient.text),
            "subject": .string(MailHeaderText.decoded(MailHeader(content).first("Subject") ?? "")),
        ]
        object["text"] = .string(text)
        object["raw"] = .string(String(decoding: content, as: UTF8.self))
        switch state {
        case .kept: object["state"] = "kept"
        case .pending: object["state"] = "pending"
        case .underWay: object["state"] = "under_way"
        case .sent(let answer):
            object["state"] = "sent"
            object["smtp"] = .string(answer)
        case .failed(let answer):
            object["state"] = "failed"
            object["smtp"] = .string(answer)
        }
        return object
    }
}
