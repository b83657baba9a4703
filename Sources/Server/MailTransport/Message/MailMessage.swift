import AppleIdentity
import Foundation

/// A mail message to one recipient, with the same content as plain text and as HTML.
package struct MailMessage: Hashable, Sendable {
    /// The maximum length of a subject, in characters.
    static let maximumSubjectCharacterCount = 200

    package let from: Mailbox
    package let to: Mailbox
    package let subject: String
    package let text: String
    package let html: String
    /// The language tag of the content.
    package let language: String
    package let date: Date
    /// The message's identifier, of letters and digits; the same when it is sent again.
    package let identifier: String

    package init(
        from: Mailbox,
        to: Mailbox,
        subject: String,
        text: String,
        html: String,
        language: String,
        date: Date,
        identifier: String
    ) {
        self.from = from
        self.to = to
        self.subject = HeaderText.cleaned(
            subject,
            maximumCharacterCount: Self.maximumSubjectCharacterCount
        )
        self.text = text
        self.html = html
        self.language = Self.word(language)
        self.date = date
        self.identifier = Self.word(identifier)
    }

    private static func word(_ text: String) -> String {
        text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Encodes the message: a header in ASCII, then both parts.
    ///
    /// Sources: [RFC 5322](https://www.rfc-editor.org/rfc/rfc5322),
    /// [RFC 2046, section 5.1.4](https://www.rfc-editor.org/rfc/rfc2046#section-5.1.4)
    func encoded() -> [UInt8] {
        // Quoted-printable text never contains `=_`.
        let boundary = "=_\(identifier)"
        var message = Array(header(boundary).utf8)
        for (type, content) in [("plain", text), ("html", html)] {
            message += "--\(boundary)\r\n".utf8
            message += "Content-Type: text/\(type); charset=utf-8\r\n".utf8
            message += "Content-Transfer-Encoding: quoted-printable\r\n\r\n".utf8
            // The line break before a boundary belongs to the boundary.
            message += QuotedPrintable.encode(content) + "\r\n".utf8
        }
        return message + "--\(boundary)--\r\n".utf8
    }

    private func header(_ boundary: String) -> String {
        let fields = [
            ("Date", date.mailText),
            ("From", from.headerText(after: "From")),
            ("To", to.headerText(after: "To")),
            ("Subject", HeaderText.unstructured(subject, after: "Subject")),
            ("Message-ID", "<\(identifier)@\(from.domain)>"),
            // Prevents automatic replies: RFC 3834, section 5.
            ("Auto-Submitted", "auto-generated"),
            ("Content-Language", language),
            ("MIME-Version", "1.0"),
            ("Content-Type", "multipart/alternative;\r\n boundary=\"\(boundary)\""),
        ]
        return fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    }
}
