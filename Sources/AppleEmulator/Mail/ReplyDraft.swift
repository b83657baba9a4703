import Foundation

/// An answer as it leaves the relay: from the relay address, to the sender's own.
struct ReplyDraft {
    let number: Int
    let sender: MailAddress
    let name: String
    let recipient: MailAddress
    /// The fields of the mail that it answers.
    let original: MailHeader
    let text: String
    let time: Date

    var content: Data {
        var lines = [
            "From: \(sender.text)", "To: <\(recipient.text)>",
            "Subject: \(MailHeaderText.encoded(subject))", "Date: \(MailDate.text(time))",
            "Message-ID: <\(number).\(Int(time.timeIntervalSince1970))@\(TeamIdentity.relayDomain)>",
        ]
        if !name.isEmpty, name != sender.text {
            lines[0] = "From: \(phrase) <\(sender.text)>"
        }
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
