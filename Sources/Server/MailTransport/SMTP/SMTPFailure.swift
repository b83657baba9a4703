import CCurl

/// Why a mail server did not accept a message.
///
/// It does not contain the server's text, which usually names the recipient.
package struct SMTPFailure: Error, Hashable, Sendable {
    /// A stable code for programs: `smtp_` and the server's status, or an error before there is a status.
    package let code: String
    /// The enhanced status code, such as `5.1.1`.
    ///
    /// Source: [RFC 3463](https://www.rfc-editor.org/rfc/rfc3463)
    package let enhancedStatus: String?
    /// Whether the same message may be accepted later.
    package let isRetryable: Bool
    /// A hint for the operator's log.
    package let hint: String
    /// Whether the server refused the recipient, in response to RCPT.
    package let isOfRecipient: Bool

    init(
        _ code: String,
        status: String? = nil,
        isRetryable: Bool = true,
        hint: String,
        isOfRecipient: Bool = false
    ) {
        self.code = code
        enhancedStatus = status
        self.isRetryable = isRetryable
        self.hint = hint
        self.isOfRecipient = isOfRecipient
    }
}

extension SMTPFailure {
    /// Whether the server may have ended a kept connection, which says nothing about the message.
    var mayBeOfConnection: Bool { code == "smtp_421" || code == "smtp_failed" }

    /// The failure of a message that no server can accept.
    static func unsendable(_ hint: String) -> SMTPFailure {
        SMTPFailure("mail_unsendable", isRetryable: false, hint: hint)
    }

    /// Creates the failure of a conversation from libcurl's result and message, and the server's reply.
    init(_ result: CURLcode, _ message: String, reply: SMTPReply, server: SMTPServer) {
        if let status = reply.status, status >= 400 {
            self.init(
                "smtp_\(status)",
                status: reply.enhancedStatus,
                isRetryable: status < 500,
                hint: result == CURLE_LOGIN_DENIED
                    ? "\(server) refused the user or password in SIWA_SMTP_URL"
                    : "\(server) responded \(reply.summary); see its log for the reason",
                isOfRecipient: message.hasPrefix("RCPT failed")
            )
            return
        }
        switch result {
        case CURLE_LOGIN_DENIED:
            self.init("smtp_login_denied", hint: "\(server) offers no supported authentication")
        case CURLE_USE_SSL_FAILED:
            self.init(
                "smtp_tls_missing",
                hint: "\(server) does not offer STARTTLS; use its smtps port, or another server"
            )
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR:
            self.init(
                "smtp_tls_failed",
                hint:
                    "\(server): \(Self.words(result)); its certificate must be trusted and name the host"
            )
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT:
            self.init("smtp_unreachable", hint: "\(server): \(Self.words(result))")
        case CURLE_OPERATION_TIMEDOUT:
            self.init("smtp_timeout", hint: "\(server) took too long")
        default: self.init("smtp_failed", hint: "\(server): \(Self.words(result))")
        }
    }

    /// libcurl's message for a result, which contains no values.
    private static func words(_ result: CURLcode) -> String {
        String(cString: curl_easy_strerror(result)).lowercased()
    }
}

/// The status of a mail server's last reply, without its text, which may name the recipient.
struct SMTPReply: Hashable, Sendable {
    private(set) var status: Int?
    private(set) var enhancedStatus: String?

    /// The status, followed by the enhanced status if there is one.
    var summary: String {
        [status.map(String.init), enhancedStatus].compactMap(\.self).joined(separator: " ")
    }

    /// Reads a line of a reply and ignores a malformed one.
    mutating func read(_ line: some Collection<UInt8>) {
        let text = String(decoding: line.prefix(Self.maximumReadByteCount), as: UTF8.self)
        guard
            let match = text.prefixMatch(of: /([2-5][0-9]{2})[ -]?([245]\.[0-9]{1,3}\.[0-9]{1,3})?/)
        else { return }
        // libcurl sends QUIT after a refusal; the reply to it is not the reason.
        guard match.1 != "221" else { return }
        status = Int(match.1)
        enhancedStatus = match.2.map(String.init)
    }

    /// The number of bytes read of a line, which starts with the codes.
    private static let maximumReadByteCount = 32
}
