import AppleEmulator

/// One or several lines that answer a command.
struct SMTPAnswer: Equatable {
    let code: Int
    let lines: [String]

    init(_ code: Int, _ lines: [String]) {
        self.code = code
        self.lines = lines
    }

    init(_ code: Int, _ status: String?, _ text: String) {
        self.init(MailReply(code, status, text))
    }

    init(_ reply: MailReply) {
        code = reply.code
        lines = [(reply.status.map { $0 + " " } ?? "") + reply.text]
    }

    /// The lines as they are sent; a hyphen tells that another follows.
    var text: String {
        lines.enumerated()
            .map { "\(code)\($0 == lines.count - 1 ? " " : "-")\($1)\r\n" }
            .joined()
    }
}
