import AppleIdentity
import Foundation

/// A reply to a mail, after the relay.
struct SentMail {
    enum State: Hashable {
        /// It is only stored, because there is no SMTP server.
        case kept
        /// It is ready for the SMTP server of outgoing mail.
        case pending
        /// It is being sent to the SMTP server.
        case underWay
        /// The SMTP server accepted it with this reply.
        case sent(String)
        /// The SMTP server refused it with this reply, or failed for this reason.
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

        /// The SMTP server's reply or the failure; nil before an attempt.
        var answer: String? {
            switch self {
            case .kept, .pending, .underWay: nil
            case .sent(let answer), .failed(let answer): answer
            }
        }
    }

    var number: Int = 0
    /// The number of the mail to which it replies.
    var inboxNumber: Int = 0
    var time: Date = .distantPast
    var personID: PersonID?
    var person: String?
    /// The address that the recipient sees as the sender.
    var sender: MailAddress = .unknown
    var recipient: MailAddress = .unknown
    var text: String = ""
    var content: Data = Data()
    var state: State = State.kept

    var object: JSONObject {
        var object: JSONObject = [
            "id": .integer(number), "number": .integer(number),
            "in_reply_to": .integer(inboxNumber), "time": .string(time.formatted(.iso8601)),
            "from": .string(sender.text), "to": .string(recipient.text),
            "subject": .string(MailHeaderText.decoded(MailHeader(content).first("Subject") ?? "")),
        ]
        object["person"] = person.map { .string($0) }
        object["text"] = .string(text)
        object["raw"] = .string(String(decoding: content, as: UTF8.self))
        object["state"] = .string(state.name)
        object["smtp"] = state.answer.map { .string($0) }
        return object
    }
}

/// A reply as it leaves the relay: from the relay address to the sender's real address.
struct ReplyDraft {
    let number: Int
    let sender: MailAddress
    let name: String
    let recipient: MailAddress
    /// The header of the mail to which it replies.
    let original: MailHeader
    let text: String
    let time: Date

    var content: Data {
        var lines = [
            "From: \(sender.text)", "To: <\(recipient.text)>",
            "Subject: \(MailHeaderText.encoded(subject))", "Date: \(time.mailText)",
            "Message-ID: <\(number).\(Int(time.timeIntervalSince1970))@\(TeamIdentity.relayDomain)>",
        ]
        if !name.isEmpty, name != sender.text { lines[0] = "From: \(phrase) <\(sender.text)>" }
        if let messageID = original.first("Message-ID"), Self.isSafe(messageID) {
            lines.append("In-Reply-To: \(messageID)")
            lines.append("References: \(messageID)")
        }
        lines += [
            "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64", "",
        ]
        let body = Data(text.utf8).base64EncodedString(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed]
        )
        return Data((lines.joined(separator: "\r\n") + "\r\n" + body + "\r\n").utf8)
    }

    private var subject: String {
        let subject = MailHeaderText.decoded(original.first("Subject") ?? "").prefix(200)
        let line = subject.map { $0.isNewline ? " " : $0 }
        return subject.lowercased().hasPrefix("re:") ? String(line) : "Re: " + String(line)
    }

    private var phrase: String {
        let encoded = MailHeaderText.encoded(name)
        guard encoded == name else { return encoded }
        return "\"" + name.replacing("\\", with: "").replacing("\"", with: "") + "\""
    }

    private static func isSafe(_ messageID: String) -> Bool {
        messageID.utf8.count <= 250 && messageID.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
