/// What a mail server answers.
package struct MailReply: Hashable, Sendable {
    /// The three digits.
    package var code: Int
    /// The enhanced status code of RFC 3463; nil where there is none, as with greetings.
    package var status: String?
    /// The words.
    package var text: String

    /// Makes an answer.
    package init(_ code: Int, _ status: String?, _ text: String) {
        self.code = code
        self.status = status
        self.text = text
    }

    /// The answer as a line, without its end.
    package var line: String { "\(code) " + (status.map { $0 + " " } ?? "") + text }
}
