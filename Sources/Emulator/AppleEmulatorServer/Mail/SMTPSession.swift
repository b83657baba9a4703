import AppleEmulator
import Foundation

/// The replies of a mail server in a session: RFC 5321, without sockets.
struct SMTPSession {
    static let serverName = "relay.localhost"
    /// The recipients that a message may have: RFC 5321, section 4.5.3.1.8, requires 100.
    static let maximumRecipientCount = 100
    static let maximumCommandCount = 10_000
    /// The number of wrong commands after which the session ends.
    static let maximumErrorCount = 20
    /// The same before a greeting, with which mail clients begin.
    static let maximumErrorCountBeforeGreeting = 3

    enum Step: Equatable {
        case answer(MailReply)
        /// Check the recipient, and call ``recipient(_:wasRefusedWith:)`` with the result.
        case admit(MailAddress, from: MailAddress?)
        /// Reply, begin TLS, and continue with a new session.
        case startTLS(MailReply)
        /// Reply, and read the following lines as a message.
        case readMessage(MailReply)
        case deliver(MailEnvelope, Data)
        /// Reply, and close the connection.
        case end(MailReply)
    }

    private struct Transaction {
        let sender: MailAddress?
        let isInternational: Bool
        var recipients: [MailAddress] = []
    }

    let offersTLS: Bool
    private(set) var clientName: String?
    /// The user name of the client, which may be the name of a world; nil before AUTH.
    private(set) var user: String?
    /// The exchange that the client's next line continues.
    private var authentication: SMTPAuthentication?
    private var transaction: Transaction?
    private var commandCount = 0
    private var errorCount = 0

    init(offersTLS: Bool = false) { self.offersTLS = offersTLS }

    static var greeting: MailReply { MailReply(220, nil, "\(serverName) ESMTP, Apple emulator") }

    static let busy = MailReply(421, "4.3.2", "too many connections")
    static let tooLong = MailReply(421, "4.4.2", "the session took too long")
    static let tooMuch = MailReply(421, "4.7.0", "too much data in this session")
    static let idle = MailReply(421, "4.4.2", "no command for too long")

    mutating func step(_ event: SMTPReader.Event) -> Step {
        let step = answer(event)
        guard case .answer(let answer) = step, answer.code >= 500 else { return step }
        errorCount += 1
        let maximumErrorCount =
            clientName == nil ? Self.maximumErrorCountBeforeGreeting : Self.maximumErrorCount
        guard errorCount < maximumErrorCount else {
            return .end(
                MailReply(421, "4.7.0", "too many errors; the last: \(answer.line.dropFirst(4))")
            )
        }
        return step
    }

    /// Handles the result of a recipient's check.
    mutating func recipient(_ address: MailAddress, wasRefusedWith refusal: MailReply?)
        -> MailReply
    {
        if let refusal { return refusal }
        transaction?.recipients.append(address)
        return MailReply(250, "2.1.5", "<\(address.text)> is accepted")
    }

    private mutating func answer(_ event: SMTPReader.Event) -> Step {
        switch event {
        case .command(let bytes): return command(bytes)
        case .commandTooLong: return .answer(MailReply(500, "5.5.2", "the command is too long"))
        case .message(let data): return finish(data)
        case .lineTooLong:
            transaction = nil
            let text = "a line is longer than \(SMTPReader.maximumLineByteCount) bytes"
            return .answer(MailReply(554, "5.6.0", text))
        case .messageTooBig:
            transaction = nil
            return .answer(Self.tooBig)
        case .messageDropped:
            transaction = nil
            return .answer(MailReply(452, "4.3.1", "too much mail in progress; try again"))
        case .flood: return .end(Self.tooBig)
        // The following lines could be a message hidden in the first one (SMTP smuggling).
        case .bareLineEnd: return .end(MailReply(521, "5.5.2", "a bare CR or LF is not allowed"))
        }
    }

    private static let tooBig = MailReply(
        552,
        "5.3.4",
        "the message is larger than \(AppleEmulator.maximumMailByteCount) bytes"
    )

    private mutating func finish(_ data: Data) -> Step {
        defer { transaction = nil }
        let envelope = MailEnvelope(
            clientName: clientName ?? "",
            sender: transaction?.sender,
            recipients: transaction?.recipients ?? []
        )
        return .deliver(envelope, data)
    }

    // MARK: Commands

    private mutating func command(_ bytes: [UInt8]) -> Step {
        commandCount += 1
        guard commandCount <= Self.maximumCommandCount else {
            return .end(MailReply(421, "4.7.0", "too many commands"))
        }
        if let authentication {
            return .answer(answer(to: String(decoding: bytes, as: UTF8.self), in: authentication))
        }
        guard !Self.isHTTP(bytes) else {
            return .end(MailReply(421, "4.7.0", "this is a mail server, but the client sent HTTP"))
        }
        guard let line = String(validating: bytes, as: UTF8.self),
            !line.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { return .answer(MailReply(500, "5.5.2", "the command has invalid characters")) }
        let verb = line.prefix { $0 != " " }.uppercased()
        let rest = line.dropFirst(verb.count).drop { $0 == " " }
        switch verb {
        case "EHLO", "HELO": return hello(rest, isExtended: verb == "EHLO")
        case "STARTTLS" where offersTLS: return startTLS(rest)
        case "AUTH": return .answer(authenticate(rest))
        case "MAIL": return .answer(mail(rest))
        case "RCPT": return recipient(rest)
        case "DATA": return data(rest)
        case "QUIT" where rest.isEmpty: return .end(MailReply(221, "2.0.0", "goodbye"))
        default: return .answer(other(verb, rest))
        }
    }

    /// Whether the line is HTTP; a web page can make a browser send a request to this port with
    /// mail commands as its body, so the session ends at a line of HTTP.
    private static func isHTTP(_ bytes: [UInt8]) -> Bool {
        let words = String(decoding: bytes, as: UTF8.self).uppercased().split(separator: " ")
        guard let first = words.first, let last = words.last else { return false }
        return methods.contains(first) || first.hasPrefix("HOST:") || last.hasPrefix("HTTP/")
    }

    private static let methods: Set<Substring> = [
        "GET", "POST", "PUT", "HEAD", "OPTIONS", "CONNECT", "PATCH", "DELETE", "TRACE",
    ]

    private mutating func other(_ verb: String, _ rest: Substring) -> MailReply {
        switch verb {
        case "RSET" where rest.isEmpty:
            transaction = nil
            return MailReply(250, "2.0.0", "the message was discarded")
        case "NOOP": return MailReply(250, "2.0.0", "nothing done")
        case "VRFY": return MailReply(252, "2.5.0", "not verified; send mail to find out")
        case "RSET", "QUIT": return MailReply(501, "5.5.4", "\(verb) takes no parameters")
        case "EXPN", "HELP", "STARTTLS", "BDAT", "ETRN", "TURN":
            return MailReply(502, "5.5.1", "\(verb) is not supported")
        default: return MailReply(500, "5.5.2", "unknown command")
        }
    }

    private mutating func hello(_ rest: Substring, isExtended: Bool) -> Step {
        let name = rest.trimmingSuffix { $0 == " " }
        guard !name.isEmpty, name.utf8.count <= 255, !name.contains(" ") else {
            return .answer(MailReply(501, nil, "the host name is missing or invalid"))
        }
        // Another greeting discards the current message: RFC 5321, section 4.1.4.
        // https://www.rfc-editor.org/rfc/rfc5321#section-4.1.4
        transaction = nil
        clientName = String(name.filter { $0.isLetter || $0.isNumber || "-._[]:".contains($0) })
        guard isExtended else { return .answer(MailReply(250, nil, Self.serverName)) }
        var lines = [
            Self.serverName, "PIPELINING", "SIZE \(AppleEmulator.maximumMailByteCount)", "8BITMIME",
            "SMTPUTF8", "ENHANCEDSTATUSCODES", "AUTH \(Self.mechanisms.joined(separator: " "))",
        ]
        if offersTLS { lines.append("STARTTLS") }
        return .answer(MailReply(250, nil, lines.joined(separator: "\n")))
    }

    private func startTLS(_ rest: Substring) -> Step {
        guard rest.isEmpty else {
            return .answer(MailReply(501, "5.5.4", "STARTTLS takes no parameters"))
        }
        guard clientName != nil, transaction == nil else {
            return .answer(MailReply(503, "5.5.1", "STARTTLS is possible after EHLO, before MAIL"))
        }
        return .startTLS(MailReply(220, "2.0.0", "begin TLS"))
    }

    private static let mechanisms = SMTPAuthentication.Mechanism.allCases.map(\.rawValue)

    private mutating func authenticate(_ rest: Substring) -> MailReply {
        guard clientName != nil else { return MailReply(503, "5.5.1", "send EHLO first") }
        // https://www.rfc-editor.org/rfc/rfc4954#section-4
        guard user == nil, transaction == nil else {
            return MailReply(503, "5.5.1", "AUTH is possible once, and before MAIL")
        }
        let words = rest.split(separator: " ")
        guard (1...2).contains(words.count),
            let mechanism = SMTPAuthentication.Mechanism(rawValue: words[0].uppercased())
        else {
            let names = Self.mechanisms.joined(separator: " and ")
            return MailReply(504, "5.5.4", "the mechanisms are \(names)")
        }
        let exchange = SMTPAuthentication(mechanism)
        guard words.count == 2 else {
            authentication = exchange
            return MailReply(334, nil, exchange.challenge)
        }
        return answer(to: words[1], in: exchange)
    }

    private mutating func answer(
        to response: some StringProtocol,
        in exchange: SMTPAuthentication
    ) -> MailReply {
        var exchange = exchange
        authentication = nil
        switch exchange.take(response) {
        case .challenge(let text):
            authentication = exchange
            return MailReply(334, nil, text)
        case .done(let user):
            self.user = user
            return MailReply(235, "2.7.0", "any password is accepted")
        case .invalid:
            // A line with only an asterisk cancels the exchange.
            return MailReply(501, "5.5.2", "the exchange was cancelled, or is not valid base64")
        }
    }

    private mutating func mail(_ rest: Substring) -> MailReply {
        guard clientName != nil else { return MailReply(503, "5.5.1", "send EHLO first") }
        guard transaction == nil else {
            return MailReply(503, "5.5.1", "a message is already in progress; RSET discards it")
        }
        guard let path = SMTPPath(rest, keyword: "FROM:") else {
            return MailReply(501, "5.1.7", "write MAIL FROM:<address>")
        }
        var isInternational = false
        var seen: Set<String> = []
        for parameter in path.parameters {
            let parts = parameter.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            ).map(String.init)
            guard let name = parts.first, !name.isEmpty else {
                return MailReply(501, "5.5.4", "a parameter has no name")
            }
            guard seen.insert(name).inserted else {
                return MailReply(501, "5.5.4", "the parameter \(name) appears twice")
            }
            switch (name, parts.count > 1 ? parts[1] : nil) {
            case ("SIZE", let value?):
                guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                    return MailReply(501, "5.5.4", "SIZE must be a number")
                }
                // A number too long to parse is too large as well.
                guard (Int(value) ?? .max) <= AppleEmulator.maximumMailByteCount else {
                    return Self.tooBig
                }
            case ("BODY", "7BIT"), ("BODY", "8BITMIME"): break
            case ("SMTPUTF8", nil): isInternational = true
            default: return MailReply(555, "5.5.4", "the parameter \(name) is unknown")
            }
        }
        guard isInternational || path.address?.isInternational != true else {
            return MailReply(553, "5.6.7", "the address needs SMTPUTF8")
        }
        transaction = Transaction(sender: path.address, isInternational: isInternational)
        return MailReply(250, "2.1.0", "<\(path.address?.text ?? "")> is the sender")
    }

    private func recipient(_ rest: Substring) -> Step {
        guard let transaction else { return .answer(Self.mailFirst) }
        // RFC 5321, section 4.5.1, requires this address without a domain; it has no reader here.
        guard !Self.isPostmaster(rest) else {
            return .answer(MailReply(550, "5.1.1", "there is no postmaster; this is an emulator"))
        }
        guard let path = SMTPPath(rest, keyword: "TO:"), let address = path.address else {
            return .answer(MailReply(501, "5.1.3", "write RCPT TO:<address>"))
        }
        guard path.parameters.isEmpty else {
            return .answer(MailReply(555, "5.5.4", "RCPT takes no parameters"))
        }
        guard transaction.isInternational || !address.isInternational else {
            return .answer(MailReply(553, "5.6.7", "the address needs SMTPUTF8"))
        }
        guard transaction.recipients.count < Self.maximumRecipientCount else {
            let text = "a message has at most \(Self.maximumRecipientCount) recipients"
            return .answer(MailReply(452, "4.5.3", text))
        }
        return .admit(address, from: transaction.sender)
    }

    private static func isPostmaster(_ rest: Substring) -> Bool {
        rest.uppercased().filter { $0 != " " } == "TO:<POSTMASTER>"
    }

    private func data(_ rest: Substring) -> Step {
        guard rest.isEmpty else {
            return .answer(MailReply(501, "5.5.4", "DATA takes no parameters"))
        }
        guard let transaction else { return .answer(Self.mailFirst) }
        guard !transaction.recipients.isEmpty else {
            return .answer(MailReply(554, "5.5.1", "no recipient was accepted"))
        }
        return .readMessage(MailReply(354, nil, "send the message, then a line with only a dot"))
    }

    private static let mailFirst = MailReply(503, "5.5.1", "send MAIL FROM first")
}

/// An address in brackets, and the parameters after it in a command.
struct SMTPPath {
    /// The address; nil for `<>`.
    let address: MailAddress?
    let parameters: [String]

    /// Parses the part after `MAIL` or `RCPT`; nil if it is not `FROM:<…>` or `TO:<…>`.
    init?(_ text: Substring, keyword: String) {
        guard text.count > keyword.count,
            text.prefix(keyword.count).uppercased() == keyword.uppercased()
        else { return nil }
        // White space is not allowed here, but many clients send it.
        let rest = text.dropFirst(keyword.count).drop { $0 == " " }
        guard rest.first == "<", let end = Self.closing(of: rest) else { return nil }
        var path = rest[rest.index(after: rest.startIndex)..<end]
        // RFC 5321, section 4.1.1.3: a source route is accepted and ignored.
        // https://www.rfc-editor.org/rfc/rfc5321#section-4.1.1.3
        if path.hasPrefix("@"), let colon = path.firstIndex(of: ":") {
            path = path[path.index(after: colon)...]
        }
        if path.isEmpty {
            address = nil
        } else {
            guard let address = MailAddress(String(path)) else { return nil }
            self.address = address
        }
        let parameters = rest[rest.index(after: end)...]
        guard parameters.isEmpty || parameters.hasPrefix(" ") else { return nil }
        self.parameters = parameters.split(separator: " ").map { $0.uppercased() }
    }

    /// The index of the closing bracket, not of one within quotes.
    private static func closing(of text: Substring) -> Substring.Index? {
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ">", !isQuoted {
                return index
            }
        }
        return nil
    }
}
