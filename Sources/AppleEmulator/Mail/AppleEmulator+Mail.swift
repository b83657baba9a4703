import AppleIdentity
import Foundation

extension AppleEmulator {
    /// The longest mail that is taken, in bytes.
    package static let maximumMailByteCount = MailStore.maximumMessageByteCount

    /// The inboxes, the answers people wrote, and the mail that was refused, oldest first.
    package nonisolated func mail(of email: String? = nil) async throws(ControlRefusal)
        -> JSONObject
    {
        try await mailList(of: email).object
    }

    private func mailList(of email: String?) throws(ControlRefusal) -> MailList {
        try currentState.mailList(of: email)
    }

    /// One mail of an inbox, with its headers, text, page and attachments.
    package nonisolated func mail(id: String) async throws(ControlRefusal) -> JSONObject {
        // Big mail takes long to read; meanwhile the emulator answers others.
        try await inboxMail(id).object
    }

    private func inboxMail(_ id: String) throws(ControlRefusal) -> InboxMail {
        try currentState.inboxMail(id)
    }

    /// The person answers a mail, through the relay when it came through it.
    package func replyToMail(
        id: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        try currentState.reply(to: id, object, isHandedOn: handsMailOn)
    }

    /// Forgets all mail and all bounces.
    public func clearMail() { currentState.mail.clear() }

    /// Takes a mail as the relay would from a mail server.
    ///
    /// - Parameters:
    ///   - content: header and text, with CR and LF at the end of each line.
    ///   - sender: the envelope's sender; nil for none.
    ///   - recipients: the envelope's recipients.
    /// - Returns: the mail server's answer, such as `250 2.0.0 delivered as 1`.
    public func receiveMail(_ content: Data, from sender: String?, to recipients: [String])
        -> String
    {
        let addresses = recipients.compactMap { MailAddress($0) }
        let path = sender.flatMap { MailAddress($0) }
        guard addresses.count == recipients.count, sender == nil || path != nil else {
            return MailReply(501, "5.1.3", "this is no address").line
        }
        for recipient in addresses {
            if let refusal = currentState.admit(recipient, from: path) { return refusal.line }
        }
        let envelope = MailEnvelope(clientName: "localhost", sender: path, recipients: addresses)
        return currentState.receive(envelope, content).line
    }

    /// Judges a recipient while the envelope is being told; nil when mail may come.
    package func admitRecipient(_ recipient: MailAddress, from sender: MailAddress?) -> MailReply? {
        currentState.admit(recipient, from: sender)
    }

    /// Takes a mail whose recipients were admitted.
    package func receiveMail(_ envelope: MailEnvelope, _ content: Data) -> MailReply {
        currentState.receive(envelope, content)
    }

    /// Hands people's answers on from here on; before, they are only kept.
    package func handMailOn() { handsMailOn = true }

    /// Takes an answer that waits; nil when none does.
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

    /// Records what came of an answer.
    package func recordOutgoingMail(_ number: Int, answer: String, wasTaken: Bool) {
        currentState.mail.record(wasTaken ? .sent(answer) : .failed(answer), of: number)
    }
}
