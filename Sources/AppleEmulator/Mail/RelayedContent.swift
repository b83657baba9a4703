import Foundation

/// A mail as the relay passes it on: the sender's addresses are replaced by aliases.
enum RelayedContent {
    /// Replaces the From and Reply-To fields; everything else stays byte for byte.
    static func make(
        of content: Data,
        header: MailHeader,
        from: (phrase: String, alias: MailAddress),
        replyTo: (phrase: String, alias: MailAddress)?
    ) -> Data {
        var result = Data()
        var hasFrom = false
        for field in header.fields {
            switch field.name.lowercased() {
            case "from":
                if !hasFrom { result.append(line("From", from)) }
                hasFrom = true
            case "reply-to": if let replyTo { result.append(line("Reply-To", replyTo)) }
            // Receivers would send to the sender without the relay.
            case "sender", "return-path", "disposition-notification-to": break
            default: result.append(field.raw)
            }
        }
        if !hasFrom { result.append(line("From", from)) }
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

    private static func line(_ name: String, _ box: (phrase: String, alias: MailAddress)) -> Data {
        let phrase = box.phrase.isEmpty ? "" : box.phrase + " "
        return Data("\(name): \(phrase)<\(box.alias.text)>\r\n".utf8)
    }
}
