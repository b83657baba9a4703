import AppleIdentity
import Foundation
import OpenAPIDescription

extension AppleEmulator {
    package static let maximumMailByteCount = MailStore.maximumMessageByteCount

    /// The inboxes, the replies and the refused mail, oldest first.
    package nonisolated func mail(of email: String? = nil) async throws(ControlRefusal)
        -> JSONObject
    {
        try await read { try $0.mailList(of: email) }.object
    }

    /// A delivered or refused mail with its content.
    package nonisolated func mail(id: String) async throws(ControlRefusal) -> JSONObject {
        if let refused = try await read({ $0.refusedMail(id) }) { return refused.object }
        return try await read { try $0.inboxMail(id) }.object
    }

    package func markMailRead(id: String) {
        if let number = Int(id) { currentState.mail.markRead(number) }
    }

    /// Replies to a mail as its recipient, through the relay if it came through it.
    package func replyToMail(
        id: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        try currentState.reply(to: id, object, isHandedOn: handsMailOn)
    }

    /// Removes all mail and all bounces.
    public func clearMail() { currentState.mail.clear() }

    /// Delivers a mail as the private email relay does for an SMTP client.
    ///
    /// - Parameters:
    ///   - content: the header and the body, with CR LF at the end of each line.
    ///   - sender: the envelope's sender; nil for none.
    ///   - recipients: the envelope's recipients.
    /// - Returns: the SMTP reply line (RFC 5321): 250 if the mail was accepted, such as
    ///   `250 2.0.0 delivered as 1`; otherwise 4xx or 5xx.
    public func receiveMail(_ content: Data, from sender: String?, to recipients: [String])
        -> String
    {
        let addresses = recipients.compactMap { MailAddress($0) }
        let path = sender.flatMap { MailAddress($0) }
        guard addresses.count == recipients.count, sender == nil || path != nil else {
            return MailReply(501, "5.1.3", "this is not an email address").line
        }
        for recipient in addresses {
            if let refusal = currentState.admit(recipient, from: path) { return refusal.line }
        }
        let envelope = MailEnvelope(clientName: "localhost", sender: path, recipients: addresses)
        return currentState.receive(envelope, content).line
    }

    /// Checks a recipient before the content is sent; nil accepts it.
    package func admitRecipient(_ recipient: MailAddress, from sender: MailAddress?) -> MailReply? {
        currentState.admit(recipient, from: sender)
    }

    package func receiveMail(_ envelope: MailEnvelope, _ content: Data) -> MailReply {
        currentState.receive(envelope, content)
    }

    /// Sends replies through an SMTP server from now on; without it they are only stored.
    package func handMailOn() { handsMailOn = true }

    package func takeOutgoingMail() -> OutgoingMail? {
        currentState.mail.takePending().map {
            OutgoingMail(
                number: $0.number,
                sender: $0.sender,
                recipient: $0.recipient,
                content: Array($0.content)
            )
        }
    }

    package func recordOutgoingMail(_ number: Int, answer: String, wasTaken: Bool) {
        currentState.mail.record(wasTaken ? .sent(answer) : .failed(answer), of: number)
    }
}

extension EmulatorState {
    /// The mail, replies and bounces after a number, oldest first, of one address or of all.
    ///
    /// The address of a person includes the person's other and relay addresses.
    func mailList(of email: String?, after number: Int = 0) throws(ControlRefusal) -> MailList {
        let address = email.flatMap { MailAddress($0) }
        guard email == nil || address != nil else {
            throw .wrong("person", "must be an email address")
        }
        let id = email.flatMap { people.person(email: $0) }?.id
        func isAsked(_ itsNumber: Int, _ personID: PersonID?, _ itsAddress: String) -> Bool {
            guard itsNumber > number else { return false }
            guard let address else { return true }
            // An address can change its person, so mail of its former person is left out.
            guard let personID else { return itsAddress.lowercased() == address.key }
            return personID == id
        }
        return MailList(
            inbox: mail.inbox.filter { isAsked($0.number, $0.personID, $0.deliveredTo) },
            sent: mail.sent.filter { isAsked($0.number, $0.personID, $0.sender.text) },
            bounces: mail.bounces.filter { isAsked($0.number, $0.personID, $0.recipient.text) }
        )
    }

    /// The refused mail with a number; nil if there is none.
    func refusedMail(_ id: String) -> MailBounce? {
        Int(id).flatMap { number in mail.bounces.first { $0.number == number } }
    }

    func inboxMail(_ id: String) throws(ControlRefusal) -> InboxMail {
        guard let number = Int(id), let found = mail.inbox.first(where: { $0.number == number })
        else { throw .notFound("id", "there is no mail \(id.prefix(32))") }
        return found
    }

    mutating func reply(
        to id: String,
        _ object: JSONObject,
        isHandedOn: Bool
    ) throws(ControlRefusal) -> JSONObject {
        let fields = try FieldReader(object, known: ["text"])
        let text = try fields.require("text", fields.read("text", .longText))
        let original = try inboxMail(id)
        let person = original.personID.flatMap { people[$0] }
        guard person != nil || original.personID == nil else {
            throw .conflict("id", "the recipient of mail \(original.number) was deleted")
        }
        guard let recipient = original.replyTo else {
            throw .conflict("id", "mail \(original.number) has no address for a reply")
        }
        guard let sender = original.relayAddress ?? MailAddress(original.deliveredTo) else {
            throw .conflict("id", "mail \(original.number) has no address from which to reply")
        }
        if let relay = original.relayAddress, people.person(relayAddress: relay.text) == nil {
            throw .conflict("id", "the relay address \(relay.text) no longer exists")
        }
        let number = mail.nextNumber()
        let draft = ReplyDraft(
            number: number,
            sender: sender,
            name: person?.name.displayName ?? "",
            recipient: recipient,
            original: MailHeader(original.content),
            text: text,
            time: clock.now
        )
        let sent = SentMail(
            number: number,
            inboxNumber: original.number,
            time: clock.now,
            personID: person?.id,
            person: person?.account.email,
            sender: sender,
            recipient: recipient,
            text: text,
            content: draft.content,
            state: isHandedOn ? .pending : .kept
        )
        mail.add(sent)
        return sent.object
    }
}

extension ValueForm<String> {
    private static let longTextLengths = 1...64 * 1024

    /// The text of a reply.
    static let longText = ValueForm(
        "must be a string of \(longTextLengths.lowerBound) to \(longTextLengths.upperBound) characters",
        as: .text(lengths: longTextLengths),
        { $0.stringValue.flatMap { longTextLengths.contains($0.unicodeScalars.count) ? $0 : nil } },
        { .string($0) }
    )
}
