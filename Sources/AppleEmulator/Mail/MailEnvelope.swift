/// Between whom a mail goes, apart from what is written on it.
package struct MailEnvelope: Hashable, Sendable {
    /// The name the sending server gave itself.
    package let clientName: String
    /// Whom failures are told; nil for mail that has no such address.
    package let sender: MailAddress?
    /// Whom it is for.
    package let recipients: [MailAddress]

    /// Makes an envelope.
    package init(clientName: String, sender: MailAddress?, recipients: [MailAddress]) {
        self.clientName = clientName
        self.sender = sender
        self.recipients = recipients
    }
}
