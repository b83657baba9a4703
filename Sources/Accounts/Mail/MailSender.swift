/// Writes a mail and hands it to whoever delivers it.
package struct MailSender: Sendable {
    /// Sends one mail, and returns when somebody else has taken responsibility for it.
    ///
    /// The identifier is the same at each attempt, so that a mail that arrives twice is recognized.
    package typealias Send =
        @Sendable (_ order: MailOrder, _ id: OutboxID) async throws(MailFailure) -> Void

    package let send: Send

    package init(_ send: @escaping Send) { self.send = send }
}

/// Why a mail was not taken.
package struct MailFailure: Error, Hashable, Sendable {
    /// A stable word for programs, such as `smtp_550`.
    package let code: String
    /// Whether the same mail may be taken later, with nothing changed here.
    package let isRetryable: Bool
    /// What to look at, for the operator's log; never an address or a link.
    package let hint: String

    package init(_ code: String, isRetryable: Bool, hint: String) {
        self.code = code
        self.isRetryable = isRetryable
        self.hint = hint
    }

    /// No outgoing mail is configured.
    static let unavailable = MailFailure(
        "mail_unavailable",
        isRetryable: false,
        hint: "no mail server is configured: set SIWA_SMTP_URL and SIWA_MAIL_FROM"
    )
}
