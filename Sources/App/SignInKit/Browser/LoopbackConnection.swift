#if os(macOS) || os(Linux)
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// A connection to a port of this machine, on which one request is read.
    struct LoopbackConnection {
        /// How far a request has come.
        enum Progress: Hashable {
            /// More is to come.
            case incomplete
            /// The head is there, with the target when it is a `GET`.
            case whole(target: String?)
            /// It was closed, or its head is too long.
            case ended
        }

        let descriptor: Int32
        private var head: [UInt8] = []

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }

        /// Reads what has come.
        mutating func read() -> Progress {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return .ended }
            head += buffer[..<count]
            if head.suffix(count + 3).contains(Array("\r\n\r\n".utf8)) {
                return .whole(target: target)
            }
            return head.count < LoopbackListener.maximumHeadByteCount ? .incomplete : .ended
        }

        private var target: String? {
            let line = head.prefix { $0 != UInt8(ascii: "\r") }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/") else { return nil }
            return String(words[1])
        }

        /// Sends the page that the user sees last.
        func answer(isWayBack: Bool) {
            let page = Self.page(
                isWayBack ? "You can close this page and go back to the app." : "Not found."
            )
            let answer = """
                HTTP/1.1 \(isWayBack ? "200 OK" : "404 Not Found")\r
                Content-Type: text/html; charset=utf-8\r
                Content-Length: \(page.utf8.count)\r
                Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'\r
                Referrer-Policy: no-referrer\r
                Cache-Control: no-store\r
                Connection: close\r
                \r
                \(page)
                """
            let bytes = Array(answer.utf8)
            _ = send(descriptor, bytes, bytes.count, Self.prepared(descriptor))
            shutdown(descriptor, Int32(SHUT_WR))
        }

        private static func page(_ text: String) -> String {
            """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Sign in</title>
            <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
            <style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:24rem;margin:20vh auto 0;padding:0 1.5rem;\
            text-align:center;text-wrap:balance}</style></head><body><p>\(text)</p></body></html>
            """
        }

        /// A browser that went away must not end the app by a signal.
        ///
        /// - Returns: the flags to send with.
        private static func prepared(_ descriptor: Int32) -> Int32 {
            #if canImport(Darwin)
                var isOn: Int32 = 1
                let byteCount = socklen_t(MemoryLayout<Int32>.size)
                setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, byteCount)
                return 0
            #else
                return Int32(MSG_NOSIGNAL)
            #endif
        }
    }
#endif
