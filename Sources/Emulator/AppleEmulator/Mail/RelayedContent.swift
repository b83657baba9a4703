import AppleIdentity
import Foundation

/// A mail after the relay, with aliases instead of the sender's addresses.
enum RelayedContent {
    /// Replaces the From and Reply-To fields; everything else stays byte for byte.
    static func make(
        of content: Data,
        header: MailHeader,
        from: (phrase: String, alias: MailAddress),
        replyTo: [(phrase: String, alias: MailAddress)]
    ) -> Data {
        var result = Data()
        var hasFrom = false
        var hasReplyTo = false
        for field in header.fields {
            switch field.name.lowercased() {
            case "from":
                if !hasFrom { result.append(written("From", [from])) }
                hasFrom = true
            case "reply-to":
                if !replyTo.isEmpty, !hasReplyTo { result.append(written("Reply-To", replyTo)) }
                hasReplyTo = true
            // With these fields receivers would send to the sender without the relay.
            case "sender", "return-path", "disposition-notification-to": break
            default: result.append(field.raw)
            }
        }
        if !hasFrom { result.append(written("From", [from])) }
        let body = content.dropFirst(header.bodyOffset)
        result.append(Data("\r\n".utf8))
        result.append(body)
        return result
    }

    /// The trace fields that a server adds to each mail: RFC 5321, section 4.4.
    /// https://www.rfc-editor.org/rfc/rfc5321#section-4.4
    static func trace(_ envelope: MailEnvelope, recipient: MailAddress, at time: Date) -> Data {
        let sender = envelope.sender?.text ?? ""
        return Data(
            """
            Return-Path: <\(sender)>\r
            Received: from \(envelope.clientName) by \(TeamIdentity.relayDomain) with ESMTP\r
             for <\(recipient.text)>; \(time.mailText)\r\n
            """.utf8
        )
    }

    /// Writes a folded field.
    ///
    /// RFC 5322, section 2.1.1: a line should have at most 78 bytes, and must have at most 998.
    /// https://www.rfc-editor.org/rfc/rfc5322#section-2.1.1
    private static func written(
        _ name: String,
        _ boxes: [(phrase: String, alias: MailAddress)]
    ) -> Data {
        var lines = ["\(name):"]
        for (index, box) in boxes.enumerated() {
            let comma = index == boxes.count - 1 ? "" : ","
            let words = box.phrase.split(separator: " ").map(String.init)
            for word in words + ["<\(box.alias.text)>\(comma)"] {
                let last = lines.count - 1
                if lines[last].utf8.count + 1 + word.utf8.count > maximumLineByteCount {
                    lines.append("")
                }
                lines[lines.count - 1] += " " + word
            }
        }
        return Data((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// The maximum size of a line in a written field, in bytes without its end.
    private static let maximumLineByteCount = 78
}
