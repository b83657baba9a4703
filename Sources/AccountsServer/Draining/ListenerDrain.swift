import AppleIdentity
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Takes in the connections that the system has accepted already, before a server that stops closes its port.
///
/// The system completes connections by itself and keeps them until the server takes them. When the port is closed,
/// it resets those, with the requests that were sent on them. Listed after the server in a `ServiceGroup`, this ends
/// before it: no new connection is begun any more, and those that wait are taken, before the server hears of the end.
package final class ListenerDrain: Service {
    /// How often the server may look whether the system still has connections for it, and how long it waits between.
    private static let maximumLookCount = 100
    private static let pause: Duration = .milliseconds(10)

    private let listener = Mutex<(any Channel)?>(nil)
    private let time: TimeSource
    private let logger: Logger

    /// Makes a drain that has nothing to do until it is given a port.
    ///
    /// - Parameters:
    ///   - time: the clock that counts the pauses.
    ///   - logger: told when the system does not offer what is needed.
    package init(time: TimeSource = .live, logger: Logger) {
        self.time = time
        self.logger = logger
    }

    /// Remembers the port that is to be drained.
    ///
    /// - Parameter channel: the channel that listens.
    package func watch(_ channel: any Channel) {
        listener.withLock { $0 = channel }
    }

    /// Waits for the end, and drains the port.
    ///
    /// - Throws: `CancellationError` when the server ends at once.
    package func run() async throws {
        try await gracefulShutdown()
        guard let channel = listener.withLock(\.self),
            let socket = channel as? any SocketOptionProvider
        else { return }
        do {
            try await refuseNewConnections(of: socket)
            for _ in 0..<Self.maximumLookCount {
                guard try await waitingConnectionCount(of: socket) > 0 else { return }
                try await time.sleep(for: Self.pause)
            }
        } catch {
            logger.debug("the port is closed without draining it", metadata: ["hint": "\(error)"])
        }
    }
}

#if os(Linux)
    extension ListenerDrain {
        /// The only instruction of a packet filter that lets nothing through (`struct sock_filter`): whoever begins a
        /// connection asks again a second later, and is refused then.
        ///
        /// Source: [socket(7), SO_ATTACH_FILTER](https://man7.org/linux/man-pages/man7/socket.7.html)
        private static let dropEverything: [UInt64] = [UInt64(littleEndian: 0x06)]

        /// `struct sock_fprog` of the system.
        private struct Filter {
            var instructionCount: UInt16
            var address: UInt
        }

        /// The beginning of `struct tcp_info`, whose seventh word of a listening socket counts connections not taken.
        private struct SocketInformation {
            var words: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
                0, 0, 0, 0, 0, 0, 0
            )
        }

        private static let attachFilter = NIOBSDSocket.Option(rawValue: 26)
        private static let tcpInformation = NIOBSDSocket.Option(rawValue: 11)

        private func refuseNewConnections(of socket: any SocketOptionProvider) async throws {
            let program = UnsafeMutableBufferPointer<UInt64>.allocate(
                capacity: Self.dropEverything.count
            )
            _ = program.initialize(from: Self.dropEverything)
            let address = UInt(bitPattern: program.baseAddress)
            defer { UnsafeMutablePointer<UInt64>(bitPattern: address)?.deallocate() }
            let filter = Filter(instructionCount: 1, address: address)
            try await socket.unsafeSetSocketOption(
                level: .socket,
                name: Self.attachFilter,
                value: filter
            ).get()
        }

        private func waitingConnectionCount(
            of socket: any SocketOptionProvider
        ) async throws -> UInt32 {
            let information: SocketInformation = try await socket.unsafeGetSocketOption(
                level: .tcp,
                name: Self.tcpInformation
            ).get()
            return information.words.6
        }
    }
#else
    extension ListenerDrain {
        /// Other systems have no way to do so for one port.
        private func refuseNewConnections(of socket: any SocketOptionProvider) async throws {
            throw CancellationError()
        }

        private func waitingConnectionCount(
            of socket: any SocketOptionProvider
        ) async throws -> UInt32 { 0 }
    }
#endif
