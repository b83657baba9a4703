import Foundation

/// A mail as the relay passes it on: the sender's addresses are replaced by aliases.
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
            // Receivers would send to the sender without the relay.
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

    /// What a server writes above every mail it takes: RFC 5321, section 4.4.
    /// https://www.rfc-editor.org/rfc/rfc5321#section-4.4
    static func trace(_ envelope: MailEnvelope, recipient: MailAddress, at time: Date) -> Data {
        let sender = envelope.sender?.text ?? ""
        return Data(
            """
            Return-Path: <\(sender)>\r
            Received: from \(envelope.clientName) by \(TeamIdentity.relayDomain) with ESMTP\r
             for <\(recipient.text)>; \(MailDate.text(time))\r\n
            """.utf8
        )
    }

    /// Writes a field, each line no longer than words allow.
    ///
    /// RFC 5322, section 2.1.1: 78 bytes should do for a line, 998 have to.
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

    /// How long a line of a field that was written anew should be, in bytes without its end.
    private static let maximumLineByteCount = 78
}
