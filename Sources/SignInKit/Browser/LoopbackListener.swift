#if os(Linux) || os(macOS)
    import AppleIdentity
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// A port of this machine on which one request is expected: that of a browser which comes back.
    ///
    /// Source: [RFC 8252, section 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3)
    final class LoopbackListener: Sendable {
        /// Bytes of a request's head that are read at most.
        private static let maximumHeadByteCount = 16 * 1024
        /// Seconds that a connection may be silent.
        private static let silentSeconds = 5
        /// Connections that may wait.
        private static let backlog: Int32 = 8

        private let socket: Int32
        private let stopping: (reading: Int32, writing: Int32)
        private let isClosed = LockedValue(false)
        /// The port that the system gave.
        let port: UInt16

        /// Listens on a free port of 127.0.0.1.
        ///
        /// - Throws: ``AuthorizationFailure`` when the system gives none.
        init() throws(AuthorizationFailure) {
            #if os(Linux)
                let stream = Int32(SOCK_STREAM.rawValue)
            #else
                let stream = SOCK_STREAM
            #endif
            let descriptor = systemSocket(AF_INET, stream, 0)
            var ends: [Int32] = [-1, -1]
            guard descriptor >= 0, pipe(&ends) == 0, let port = Self.listen(on: descriptor) else {
                for open in [descriptor] + ends where open >= 0 { _ = systemClose(open) }
                throw AuthorizationFailure(.failed, hint: "no port of 127.0.0.1 can be listened on")
            }
            socket = descriptor
            stopping = (ends[0], ends[1])
            self.port = port
        }

        deinit {
            close()
            for open in [socket, stopping.reading, stopping.writing] { _ = systemClose(open) }
        }

        /// Ends the wait; nobody can come back any more.
        func close() {
            isClosed.withLock { isClosed in
                guard !isClosed else { return }
                isClosed = true
                var byte: UInt8 = 0
                _ = write(stopping.writing, &byte, 1)
            }
        }

        /// Waits, on a thread of its own, for the request that has a path, and answers it.
        ///
        /// - Parameters:
        ///   - path: the path; requests with another one, such as a browser's for an icon, are answered with 404.
        ///   - page: what the person is shown.
        /// - Returns: path and query of the request; nil when the listener was closed.
        func request(to path: String, answering page: String) async -> String? {
            await withCheckedContinuation { waiting in
                Thread.detachNewThread { [self] in
                    waiting.resume(returning: nextRequest(to: path, answering: page))
                }
            }
        }

        private func nextRequest(to path: String, answering page: String) -> String? {
            while isReadable(socket) {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { continue }
                defer { _ = systemClose(connection) }
                limit(connection)
                guard let target = target(of: connection) else {
                    send(Self.answer("400 Bad Request", ""), to: connection)
                    continue
                }
                guard target == path || target.hasPrefix("\(path)?") else {
                    send(Self.answer("404 Not Found", ""), to: connection)
                    continue
                }
                send(Self.answer("200 OK", page), to: connection)
                return target
            }
            return nil
        }

        /// Waits until there is something to read; false when the listener was closed.
        private func isReadable(_ descriptor: Int32, seconds: Int? = nil) -> Bool {
            var waited = [
                pollfd(fd: stopping.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let milliseconds = seconds.map { Int32($0 * 1000) } ?? -1
            while true {
                let count = poll(&waited, 2, milliseconds)
                if count < 0, errno == EINTR { continue }
                return count > 0 && waited[0].revents == 0 && waited[1].revents != 0
            }
        }

        /// The address in the first line of a GET request.
        private func target(of connection: Int32) -> String? {
            var head: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !head.contains(0x0A) {
                guard head.count < Self.maximumHeadByteCount,
                    isReadable(connection, seconds: Self.silentSeconds)
                else { return nil }
                let count = read(connection, &buffer, buffer.count)
                guard count > 0 else { return nil }
                head += buffer.prefix(count)
            }
            let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[0] == "GET", words[2].hasPrefix("HTTP/1.") else {
                return nil
            }
            return String(words[1])
        }

        private func limit(_ connection: Int32) {
            var limit = timeval(tv_sec: Self.silentSeconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            _ = setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
            #if canImport(Darwin)
                // A browser that has left must not end the process.
                var yes: Int32 = 1
                _ = setsockopt(
                    connection,
                    SOL_SOCKET,
                    SO_NOSIGPIPE,
                    &yes,
                    socklen_t(MemoryLayout<Int32>.size)
                )
            #endif
        }

        /// Listens on any free port of 127.0.0.1, and gives the port.
        private static func listen(on descriptor: Int32) -> UInt16? {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, size) == 0 && systemListen(descriptor, backlog) == 0
                        && getsockname(descriptor, address, &size) == 0
                }
            }
            return isBound ? UInt16(bigEndian: address.sin_port) : nil
        }

        private static func answer(_ status: String, _ page: String) -> String {
            """
            HTTP/1.1 \(status)\r
            Content-Type: text/html; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            Content-Security-Policy: default-src 'none'\r
            Connection: close\r
            \r
            \(page)
            """
        }

        private func send(_ text: String, to connection: Int32) {
            #if canImport(Darwin)
                let flags: Int32 = 0
            #else
                let flags = Int32(MSG_NOSIGNAL)
            #endif
            let bytes = Array(text.utf8)
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes { rest in
                    systemSend(connection, rest.baseAddress, rest.count, flags)
                }
                guard count > 0 else { return }
                sent += count
            }
            _ = shutdown(connection, Int32(SHUT_WR))
        }
    }

    /// The system's functions, whose names the listener's own methods have.
    private func systemSocket(_ domain: Int32, _ type: Int32, _ kind: Int32) -> Int32 {
        socket(domain, type, kind)
    }

    private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

    private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
        listen(descriptor, backlog)
    }

    private func systemSend(
        _ descriptor: Int32,
        _ bytes: UnsafeRawPointer?,
        _ count: Int,
        _ flags: Int32
    ) -> Int {
        send(descriptor, bytes, count, flags)
    }
#endif
