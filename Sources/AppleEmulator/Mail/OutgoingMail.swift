/// An answer on its way to the server of outgoing mail.
package struct OutgoingMail: Sendable {
    /// The answer's number.
    package let number: Int
    /// The envelope's sender.
    package let sender: MailAddress
    /// The envelope's recipient.
    package let recipient: MailAddress
    /// Header and text.
    package let content: [UInt8]
}
