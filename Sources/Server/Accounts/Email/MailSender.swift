/// Writes a mail and passes it to a mail server.
package struct MailSender: Sendable {
    /// Sends a mail and returns when a mail server has accepted it.
    ///
    /// The identifier is the same at each attempt, by which recipients recognize a mail that arrives twice.
    package typealias Send =
        @Sendable (_ order: MailOrder, _ id: OutboxID) async throws(MailFailure) -> Void

    package let send: Send
    /// Ends the connections that are kept for further mail.
    package let disconnect: @Sendable () -> Void

    package init(_ send: @escaping Send, disconnect: @escaping @Sendable () -> Void = {}) {
        self.send = send
        self.disconnect = disconnect
    }
}

/// Why a mail was not accepted.
package struct MailFailure: Error, Hashable, Sendable {
    /// A stable code for programs, such as `smtp_550`.
    package let code: String
    /// Whether the same mail may be accepted later without any change here.
    package let isRetryable: Bool
    /// A hint for the operator's log; never an email address or a link.
    package let hint: String
    /// Whether the recipient's address is refused as one that takes no mail (550 5.7.1 in response to RCPT).
    package let refusesRecipient: Bool

    package init(_ code: String, isRetryable: Bool, hint: String, refusesRecipient: Bool = false) {
        self.code = code
        self.isRetryable = isRetryable
        self.hint = hint
        self.refusesRecipient = refusesRecipient
    }
}
