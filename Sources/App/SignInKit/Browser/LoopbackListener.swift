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
    ///
    /// Several connections are read at a time: browsers open some in advance, on which nothing comes, and any program of
    /// the machine can open others.
    final class LoopbackListener: Sendable {
        /// Bytes of a request's head; browsers send about a thousand.
        static let maximumHeadByteCount = 16 * 1024
        /// Connections that are read at a time; one more ends the oldest.
        static let maximumConnectionCount = 16

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

        /// Waits for the expected request and responds to it; all others get status 404.
        ///
        /// - Parameter isWayBack: whether the target of a request is the expected one.
        /// - Returns: the request's target with its query; nil if the wait was stopped.
        func target(where isWayBack: @escaping @Sendable (String) -> Bool) async -> String? {
            await withCheckedContinuation { continuation in
                // Waiting for sockets must not block the app's tasks.
                DispatchQueue.global().async {
                    continuation.resume(returning: self.waitForTarget(where: isWayBack))
                }
            }
        }

        private func waitForTarget(where isWayBack: (String) -> Bool) -> String? {
            var connections: [LoopbackConnection] = []
            defer { for connection in connections { close(connection.descriptor) } }
            while let ready = readable(among: [socket] + connections.map(\.descriptor)) {
                for index in connections.indices.reversed()
                where ready.contains(connections[index].descriptor) {
                    let progress = connections[index].read()
                    if progress == .incomplete { continue }
                    let connection = connections.remove(at: index)
                    defer { close(connection.descriptor) }
                    guard case .whole(let target) = progress else { continue }
                    let found = target.flatMap { isWayBack($0) ? $0 : nil }
                    connection.answer(isWayBack: found != nil)
                    if let found { return found }
                }
                guard ready.contains(socket) else { continue }
                let descriptor = accept(socket, nil, nil)
                guard descriptor >= 0 || Self.mayAcceptAgain else { return nil }
                if descriptor >= 0 { connections.append(LoopbackConnection(descriptor)) }
                if connections.count > Self.maximumConnectionCount {
                    close(connections.removeFirst().descriptor)
                }
            }
            return nil
        }

        /// Waits until there is something to read.
        ///
        /// - Returns: where; nil when the wait was stopped.
        private func readable(among descriptors: [Int32]) -> Set<Int32>? {
            var sources = ([stopping.read] + descriptors)
                .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&sources, nfds_t(sources.count), -1) >= 0 else {
                // A signal, such as that of a window that changed its size.
                return errno == EINTR ? [] : nil
            }
            guard sources[0].revents == 0 else { return nil }
            return Set(sources.dropFirst().filter { $0.revents != 0 }.map(\.fd))
        }

        /// Whether only this connection was lost, and not the program's means to take any.
        private static var mayAcceptAgain: Bool {
            [EINTR, EAGAIN, EWOULDBLOCK, ECONNABORTED].contains(errno)
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

        /// Binds only to 127.0.0.1, which other machines cannot reach.
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
            // A connection may be gone before it is taken, which must not hold up the wait.
            guard isBound, fcntl(socket, F_SETFL, O_NONBLOCK) == 0 else { return nil }
            return UInt16(bigEndian: address.sin_port)
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
