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
        let exchange = Exchange(content)
        return withExtendedLifetime(exchange) {
            var settings = Settings(handle: handle)
            connect(&settings, exchange)
            authenticate(&settings)
            exchange.join(&settings)
            if let envelope {
                message(envelope, &settings, exchange)
            } else {
                settings.set(CURLOPT_CONNECT_ONLY, 1)
            }
            guard settings.result == CURLE_OK else {
                return .failure(SMTPFailure("smtp_failed", hint: "libcurl lacks an option"))
            }
            let result = curl_easy_perform(handle)
            let message = exchange.leave(&settings)
            guard result != CURLE_OK else { return .success(()) }
            return .failure(SMTPFailure(result, message, reply: exchange.reply, server: server))
        }
    }

    private func connect(_ settings: inout Settings, _ exchange: Exchange) {
        settings.note(siwa_curl_allow_mail_only(settings.handle))
        settings.set(CURLOPT_URL, server.url(greetingAs: name))
        // Signals affect the whole process.
        settings.set(CURLOPT_NOSIGNAL, 1)
        settings.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connection)
        settings.set(CURLOPT_TIMEOUT_MS, limits.conversation)
        // The proxies in the environment are for HTTP.
        settings.set(CURLOPT_PROXY, "")
        let security = server.security == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL
        settings.set(CURLOPT_USE_SSL, Int(security.rawValue))
        settings.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        settings.set(CURLOPT_SSL_VERIFYPEER, 1)
        settings.set(CURLOPT_SSL_VERIFYHOST, 2)
        if let path = surroundings.trustedCertificatesPath { settings.set(CURLOPT_CAINFO, path) }
        if !surroundings.resolved.isEmpty {
            settings.set(CURLOPT_RESOLVE, exchange.list(surroundings.resolved))
        }
    }

    private func authenticate(_ settings: inout Settings) {
        guard let credentials = server.credentials else { return }
        settings.set(CURLOPT_USERNAME, credentials.user)
        settings.set(CURLOPT_PASSWORD, credentials.password)
    }

    private func message(
        _ envelope: (sender: String, recipient: String),
        _ settings: inout Settings,
        _ exchange: Exchange
    ) {
        settings.set(CURLOPT_MAIL_FROM, "<\(envelope.sender)>")
        settings.set(CURLOPT_MAIL_RCPT, exchange.list(["<\(envelope.recipient)>"]))
        settings.set(CURLOPT_UPLOAD, 1)
        settings.note(
            siwa_curl_set_size(
                settings.handle,
                CURLOPT_INFILESIZE_LARGE,
                curl_off_t(content.count)
            )
        )
    }
}

/// Sets libcurl options and keeps the first error.
private struct Settings {
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

/// The data that libcurl reads and writes until the conversation ends; used by one thread only.
private final class Exchange {
    private var rest: ArraySlice<UInt8>
    private(set) var reply = SMTPReply()
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(_ content: [UInt8]) {
        rest = content[...]
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        errorText.deallocate()
        for list in lists { curl_slist_free_all(list) }
    }

    /// Makes the value of an option with several entries.
    func list(_ entries: [String]) -> UnsafeMutablePointer<curl_slist>? {
        let list = entries.reduce(nil) { curl_slist_append($0, $1) }
        if let list { lists.append(list) }
        return list
    }

    /// Ends the use by libcurl; returns its message about an error, which says what command the server refused.
    func leave(_ settings: inout Settings) -> String {
        settings.note(siwa_curl_set_pointer(settings.handle, CURLOPT_ERRORBUFFER, nil))
        settings.note(siwa_curl_set_callback(settings.handle, CURLOPT_HEADERFUNCTION, nil))
        settings.note(siwa_curl_set_pointer(settings.handle, CURLOPT_HEADERDATA, nil))
        return String(cString: errorText)
    }

    func join(_ settings: inout Settings) {
        settings.note(siwa_curl_set_pointer(settings.handle, CURLOPT_ERRORBUFFER, errorText))
        let context = Unmanaged.passUnretained(self).toOpaque()
        settings.note(
            siwa_curl_set_callback(settings.handle, CURLOPT_READFUNCTION) {
                bytes,
                size,
                count,
                context in
                guard let bytes, let context else { return 0 }
                let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
                let place = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return exchange.read(into: place)
            }
        )
        settings.note(siwa_curl_set_pointer(settings.handle, CURLOPT_READDATA, context))
        settings.note(
            siwa_curl_set_callback(settings.handle, CURLOPT_HEADERFUNCTION) {
                bytes,
                size,
                count,
                context in
                guard let bytes, let context else { return 0 }
                let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
                exchange.reply.read(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return size * count
            }
        )
        settings.note(siwa_curl_set_pointer(settings.handle, CURLOPT_HEADERDATA, context))
    }

    private func read(into place: UnsafeMutableRawBufferPointer) -> Int {
        let part = rest.prefix(place.count)
        place.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return part.count
    }
}
