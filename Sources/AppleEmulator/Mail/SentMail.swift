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

        var name: String {
            switch self {
            case .kept: "kept"
            case .pending: "pending"
            case .underWay: "under_way"
            case .sent: "sent"
            case .failed: "failed"
            }
        }

        /// The server's answer, or why there is none.
        var answer: String? {
            switch self {
            case .kept, .pending, .underWay: nil
            case .sent(let answer), .failed(let answer): answer
            }
        }
    }

    var number: Int = 0
    /// The mail that it answers.
    var inboxNumber: Int = 0
    var time: Date = .distantPast
    var personID: PersonID = .nobody
    var person: String = ""
    /// Whom the receiver takes it to be from.
    var sender: MailAddress = .nobody
    var recipient: MailAddress = .nobody
    /// What the person wrote.
    var text: String = ""
    var content: Data = Data()
    var state: State = State.kept

    var object: JSONObject {
        var object: JSONObject = [
            "id": .integer(number),
            "number": .integer(number),
            "in_reply_to": .integer(inboxNumber),
            "time": .string(time.formatted(.iso8601)),
            "person": .string(person),
            "from": .string(sender.text),
            "to": .string(recipient.text),
            "subject": .string(MailHeaderText.decoded(MailHeader(content).first("Subject") ?? "")),
        ]
        object["text"] = .string(text)
        object["raw"] = .string(String(decoding: content, as: UTF8.self))
        object["state"] = .string(state.name)
        object["smtp"] = state.answer.map { .string($0) }
        return object
    }
}
