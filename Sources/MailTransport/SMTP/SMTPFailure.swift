import CCurl

/// Why a mail server did not take a message.
///
/// What the server said is not repeated: it usually names the recipient.
package struct SMTPFailure: Error, Hashable, Sendable {
    /// A stable word for programs: `smtp_` and the server's status, or what went wrong before it had one.
    package let code: String
    /// The enhanced status code, such as `5.1.1`.
    ///
    /// Source: [RFC 3463](https://www.rfc-editor.org/rfc/rfc3463)
    package let enhancedStatus: String?
    /// Whether the same message may be taken later.
    package let isRetryable: Bool
    /// What to look at, for the operator's log.
    package let hint: String

    init(_ code: String, status: String? = nil, isRetryable: Bool = true, hint: String) {
        self.code = code
        enhancedStatus = status
        self.isRetryable = isRetryable
        self.hint = hint
    }
}

extension SMTPFailure {
    /// The message itself can't be sent, whatever the server.
    static func unsendable(_ hint: String) -> SMTPFailure {
        SMTPFailure("mail_unsendable", isRetryable: false, hint: hint)
    }

    /// Reads how a conversation ended.
    init(_ result: CURLcode, reply: SMTPReply, server: SMTPServer) {
        if let status = reply.status, status >= 400 {
            self.init(
                "smtp_\(status)",
                status: reply.enhancedStatus,
                isRetryable: status < 500,
                hint: result == CURLE_LOGIN_DENIED
                    ? "\(server) refused the user or password in SIWA_SMTP_URL"
                    : "\(server) responded \(reply.summary); see its log for the reason"
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

    /// libcurl's sentence for a result, which has no values in it.
    private static func words(_ result: CURLcode) -> String {
        String(cString: curl_easy_strerror(result)).lowercased()
    }
}

/// A mail server's last word: the status alone, for the text may name somebody.
struct SMTPReply: Hashable, Sendable {
    private(set) var status: Int?
    private(set) var enhancedStatus: String?

    /// The status, with the enhanced one when there is one.
    var summary: String {
        [status.map(String.init), enhancedStatus].compactMap(\.self).joined(separator: " ")
    }

    /// Reads a line of a reply; one of another form changes nothing.
    mutating func read(_ line: some Collection<UInt8>) {
        let text = String(decoding: line.prefix(Self.maximumReadByteCount), as: UTF8.self)
        guard
            let match = text.prefixMatch(of: /([2-5][0-9]{2})[ -]?([245]\.[0-9]{1,3}\.[0-9]{1,3})?/)
        else { return }
        // libcurl says goodbye after a refusal; the answer to that is not why.
        guard match.1 != "221" else { return }
        status = Int(match.1)
        enhancedStatus = match.2.map(String.init)
    }

    /// How many bytes of a line are read: the codes stand in front.
    private static let maximumReadByteCount = 32
}
