import CCurl

/// A conversation with a mail server, which sends one message; first it connects and authenticates, if necessary.
struct SMTPConversation: Sendable {
    let server: SMTPServer
    let surroundings: SMTPSurroundings
    let limits: SMTPTimeLimits
    /// The name for the EHLO command.
    let name: String
    /// Both email addresses; nil to disconnect after authentication.
    let envelope: (sender: String, recipient: String)?
    let content: [UInt8]

    /// Runs the conversation and blocks the thread until it ends; uses the handle's connection if it has one.
    func run(on handle: UnsafeMutableRawPointer) -> Result<Void, SMTPFailure> {
        // Only the options: the connection stays.
        curl_easy_reset(handle)
        let exchange = SMTPExchange(content)
        return withExtendedLifetime(exchange) {
            var options = CurlOptions(handle: handle)
            connect(&options, exchange)
            authenticate(&options)
            exchange.join(&options)
            if let envelope {
                message(envelope, &options, exchange)
            } else {
                options.set(CURLOPT_CONNECT_ONLY, 1)
            }
            guard options.result == CURLE_OK else {
                return .failure(SMTPFailure("smtp_failed", hint: "libcurl lacks an option"))
            }
            let result = curl_easy_perform(handle)
            let message = exchange.leave(&options)
            guard result != CURLE_OK else { return .success(()) }
            return .failure(SMTPFailure(result, message, reply: exchange.reply, server: server))
        }
    }

    private func connect(_ options: inout CurlOptions, _ exchange: SMTPExchange) {
        options.note(siwa_curl_allow_mail_only(options.handle))
        options.set(CURLOPT_URL, server.url(greetingAs: name))
        // Signals affect the whole process.
        options.set(CURLOPT_NOSIGNAL, 1)
        options.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connection)
        options.set(CURLOPT_TIMEOUT_MS, limits.conversation)
        // The proxies in the environment are for HTTP.
        options.set(CURLOPT_PROXY, "")
        let security = server.security == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL
        options.set(CURLOPT_USE_SSL, Int(security.rawValue))
        options.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        if let path = surroundings.trustedCertificatesPath { options.set(CURLOPT_CAINFO, path) }
        if !surroundings.resolved.isEmpty {
            options.set(CURLOPT_RESOLVE, exchange.list(surroundings.resolved))
        }
    }

    private func authenticate(_ options: inout CurlOptions) {
        guard let credentials = server.credentials else { return }
        options.set(CURLOPT_USERNAME, credentials.user)
        options.set(CURLOPT_PASSWORD, credentials.password)
    }

    private func message(
        _ envelope: (sender: String, recipient: String),
        _ options: inout CurlOptions,
        _ exchange: SMTPExchange
    ) {
        options.set(CURLOPT_MAIL_FROM, "<\(envelope.sender)>")
        options.set(CURLOPT_MAIL_RCPT, exchange.list(["<\(envelope.recipient)>"]))
        options.set(CURLOPT_UPLOAD, 1)
        options.note(
            siwa_curl_set_size(
                options.handle,
                CURLOPT_INFILESIZE_LARGE,
                curl_off_t(content.count)
            )
        )
    }
}

/// Sets libcurl options and keeps the first error.
struct CurlOptions {
    let handle: UnsafeMutableRawPointer
    private(set) var result = CURLE_OK

    init(handle: UnsafeMutableRawPointer) { self.handle = handle }

    mutating func set(_ option: CURLoption, _ value: Int) {
        note(siwa_curl_set_number(handle, option, value))
    }

    /// Sets a time of at least a millisecond, because zero means libcurl's own, longer limit.
    mutating func set(_ option: CURLoption, _ value: Duration) {
        set(option, max(1, Int(value / .milliseconds(1))))
    }

    mutating func set(_ option: CURLoption, _ value: String) {
        note(siwa_curl_set_text(handle, option, value))
    }

    mutating func set(_ option: CURLoption, _ value: UnsafeMutablePointer<curl_slist>?) {
        note(siwa_curl_set_list(handle, option, value))
    }

    mutating func note(_ result: CURLcode) {
        if self.result == CURLE_OK { self.result = result }
    }
}
