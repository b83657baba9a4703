import CCurl

/// The data that libcurl reads and writes until the conversation ends; used by one thread only.
final class SMTPExchange {
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
    func leave(_ options: inout CurlOptions) -> String {
        options.note(siwa_curl_set_pointer(options.handle, CURLOPT_ERRORBUFFER, nil))
        options.note(siwa_curl_set_callback(options.handle, CURLOPT_HEADERFUNCTION, nil))
        options.note(siwa_curl_set_pointer(options.handle, CURLOPT_HEADERDATA, nil))
        return String(cString: errorText)
    }

    func join(_ options: inout CurlOptions) {
        options.note(siwa_curl_set_pointer(options.handle, CURLOPT_ERRORBUFFER, errorText))
        let context = Unmanaged.passUnretained(self).toOpaque()
        options.note(
            siwa_curl_set_callback(options.handle, CURLOPT_READFUNCTION) {
                bytes,
                size,
                count,
                context in
                guard let bytes, let context else { return 0 }
                let exchange = Unmanaged<SMTPExchange>.fromOpaque(context).takeUnretainedValue()
                let place = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return exchange.read(into: place)
            }
        )
        options.note(siwa_curl_set_pointer(options.handle, CURLOPT_READDATA, context))
        options.note(
            siwa_curl_set_callback(options.handle, CURLOPT_HEADERFUNCTION) {
                bytes,
                size,
                count,
                context in
                guard let bytes, let context else { return 0 }
                let exchange = Unmanaged<SMTPExchange>.fromOpaque(context).takeUnretainedValue()
                exchange.reply.read(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return size * count
            }
        )
        options.note(siwa_curl_set_pointer(options.handle, CURLOPT_HEADERDATA, context))
    }

    private func read(into place: UnsafeMutableRawBufferPointer) -> Int {
        let part = rest.prefix(place.count)
        place.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return part.count
    }
}
