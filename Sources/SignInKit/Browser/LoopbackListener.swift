#if os(macOS) || os(Linux)
    import AppleIdentity
    import Foundation

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// A port of this machine, for one request that comes back from a browser.
    final class LoopbackListener: Sendable {
        /// Bytes of a request's head; browsers send about a thousand.
        static let maximumHeadByteCount = 16 * 1024
        /// Requests that are something else: icons, and whoever else tries.
        private static let maximumRequestCount = 100
        /// Milliseconds that one connection may take.
        private static let maximumMilliseconds: Int32 = 5000

        let port: UInt16
        private let socket: Int32
        /// A byte in it ends the wait.
        private let stopping: (read: Int32, write: Int32)

        init() throws(AuthorizationFailure) {
            #if canImport(Glibc)
                let kind = Int32(SOCK_STREAM.rawValue)
            #else
                let kind = SOCK_STREAM
            #endif
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Self.failure("pipe") }
            stopping = (ends[0], ends[1])
            socket = Self.newSocket(kind)
            guard socket >= 0, let port = Self.listen(socket) else {
                for descriptor in ends + [socket] where descriptor >= 0 { close(descriptor) }
                throw Self.failure("listen")
            }
            self.port = port
        }

        deinit {
            for descriptor in [socket, stopping.read, stopping.write] { close(descriptor) }
        }

        /// Ends the wait.
        func stop() {
            var byte: UInt8 = 0
            _ = write(stopping.write, &byte, 1)
        }

        /// Waits for a request to a path, and answers it.
        ///
        /// - Returns: the request's target with its query; nil when it was stopped.
        func target(at path: String) async -> String? {
            await withCheckedContinuation { continuation in
                // It waits for sockets, which must not hold up the app's tasks.
                DispatchQueue.global().async {
                    continuation.resume(returning: self.waitForTarget(at: path))
                }
            }
        }

        private func waitForTarget(at path: String) -> String? {
            for _ in 0..<Self.maximumRequestCount {
                guard wait(for: socket, milliseconds: -1) else { return nil }
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { continue }
                defer { close(connection) }
                guard let target = target(from: connection) else { continue }
                let isWayBack = target == path || target.hasPrefix(path + "?")
                answer(connection, isWayBack: isWayBack)
                if isWayBack { return target }
            }
            return nil
        }

        /// - Returns: whether there is something to read, rather than a reason to stop.
        private func wait(for descriptor: Int32, milliseconds: Int32) -> Bool {
            var sources = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopping.read, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&sources, 2, milliseconds)
            return count > 0 && sources[1].revents == 0
        }

        /// Reads the head of a request, and gives the target of a `GET`.
        private func target(from connection: Int32) -> String? {
            var head: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            let end = Array("\r\n\r\n".utf8)
            while !head.suffix(buffer.count + 3).contains(end) {
                guard head.count < Self.maximumHeadByteCount,
                    wait(for: connection, milliseconds: Self.maximumMilliseconds)
                else { return nil }
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { return nil }
                head += buffer[..<count]
            }
            let line = head.prefix { $0 != UInt8(ascii: "\r") }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/") else { return nil }
            return String(words[1])
        }

        private func answer(_ connection: Int32, isWayBack: Bool) {
            let text =
                isWayBack
                ? "You can close this page and go back to the app." : "Nothing is to be seen here."
            let page =
                "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Sign in</title>"
                + "<p>\(text)</p></html>"
            let answer = """
                HTTP/1.1 \(isWayBack ? "200 OK" : "404 Not Found")\r
                Content-Type: text/html; charset=utf-8\r
                Content-Length: \(page.utf8.count)\r
                Content-Security-Policy: default-src 'none'\r
                Cache-Control: no-store\r
                Connection: close\r
                \r
                \(page)
                """
            // A browser that went away must not end the app by a signal.
            #if canImport(Darwin)
                var isOn: Int32 = 1
                setsockopt(
                    connection,
                    SOL_SOCKET,
                    SO_NOSIGPIPE,
                    &isOn,
                    socklen_t(MemoryLayout<Int32>.size)
                )
                let flags: Int32 = 0
            #else
                let flags = Int32(MSG_NOSIGNAL)
            #endif
            let bytes = Array(answer.utf8)
            _ = send(connection, bytes, bytes.count, flags)
            shutdown(connection, Int32(SHUT_WR))
        }
    }

    /// The calls of the C library.
    extension LoopbackListener {
        private static func newSocket(_ kind: Int32) -> Int32 {
            #if canImport(Darwin)
                Darwin.socket(AF_INET, kind, 0)
            #elseif canImport(Glibc)
                Glibc.socket(AF_INET, kind, 0)
            #else
                Musl.socket(AF_INET, kind, 0)
            #endif
        }

        /// Binds to 127.0.0.1 alone, which other machines can't reach.
        private static func listen(_ socket: Int32) -> UInt16? {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(socket, pointer, length) == 0 && start(socket)
                        && getsockname(socket, pointer, &length) == 0
                }
            }
            return isBound ? UInt16(bigEndian: address.sin_port) : nil
        }

        private static func start(_ socket: Int32) -> Bool {
            #if canImport(Darwin)
                Darwin.listen(socket, 8) == 0
            #elseif canImport(Glibc)
                Glibc.listen(socket, 8) == 0
            #else
                Musl.listen(socket, 8) == 0
            #endif
        }

        private static func failure(_ call: String) -> AuthorizationFailure {
            AuthorizationFailure(.failed, hint: "\(call): error \(errno)")
        }
    }
#endif
