import MailTransport

/// How the server sends email.
package struct MailSettings: Hashable, Sendable {
    /// The SMTP server.
    package var server: SMTPServer
    /// The sender; a missing name defaults to the app's name.
    package var sender: Mailbox
}

extension MailSettings {
    /// Reads `SIWA_SMTP_URL` and `SIWA_MAIL_FROM`, which require each other; nil without both.
    init?(_ values: ConfigurationValues, _ mistakes: inout MistakeList) {
        let server = mistakes.note(try Self.server(values))
        let sender = mistakes.note(try Self.sender(values))
        guard let server = server ?? nil, let sender = sender ?? nil else { return nil }
        self.init(server: server, sender: sender)
    }

    static let serverName = "SIWA_SMTP_URL"
    static let senderName = "SIWA_MAIL_FROM"

    private static func server(
        _ values: ConfigurationValues
    ) throws(ConfigurationError) -> SMTPServer? {
        guard let text = try values.secret(serverName) else {
            guard values.optional(senderName) == nil else {
                throw ConfigurationError(
                    serverName,
                    "is not set, but \(senderName) is",
                    fix: "set it to the mail server's URL, or remove \(senderName)"
                )
            }
            return nil
        }
        do {
            return try SMTPServer(text)
        } catch {
            throw ConfigurationError(serverName, error.message, fix: error.fix)
        }
    }

    private static func sender(
        _ values: ConfigurationValues
    ) throws(ConfigurationError) -> Mailbox? {
        guard let text = values.optional(senderName) else {
            guard values.optional(serverName) == nil else {
                throw ConfigurationError(
                    senderName,
                    "is not set, but \(serverName) is",
                    fix: "set it to the sender, for example Juice <no-reply@example.com>"
                )
            }
            return nil
        }
        do {
            return try Mailbox(text)
        } catch {
            throw ConfigurationError(senderName, error.message, fix: error.fix)
        }
    }
}
